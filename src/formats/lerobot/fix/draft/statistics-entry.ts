import type { JsonValue } from '#core';

/** What the set's tables keep of one feature: lists of numbers, of a camera nested as (3, 1, 1). */
export type StatisticsEntry = Record<string, JsonValue>;

/** All numbers of a vector or a nested entry in a row; what is no number is NaN. Null where there is nothing. */
export function flatNumbers(value: JsonValue | undefined): number[] | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return [Number(value)];
  if (!Array.isArray(value)) return [typeof value === 'number' ? value : Number.NaN];
  return value.flatMap((part) => flatNumbers(part) ?? [Number.NaN]);
}
