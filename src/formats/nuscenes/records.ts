import type { JsonObject, JsonValue } from '#core';

/** A text of a record; empty where it is none. */
export function textOf(record: JsonObject, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : '';
}

/** A number of a record; NaN where it is none. */
export function numberOf(record: JsonObject, key: string): number {
  const value = record[key];
  return typeof value === 'number' ? value : Number.NaN;
}

/** Numbers of a list, of lists of numbers row by row; null where one is none. */
export function numbersOf(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const flat = value.flat();
  return flat.every((one) => typeof one === 'number' && Number.isFinite(one)) ? flat : null;
}
