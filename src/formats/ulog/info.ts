import { numberAt } from '../shared/flight/decode-numbers.ts';
import { numberBytes } from '../shared/flight/number-row.ts';
import { kindOf, parseField } from './format-text.ts';

/** Key and value of an info or parameter message. */
export interface KeyValue {
  readonly key: string;
  readonly value: string | number;
}

const utf8 = new TextDecoder('utf-8');

/** Reads `length, "type key", value` at `from`; null where it is none. Arrays of numbers are not kept. */
export function parseKeyValue(bytes: Uint8Array, view: DataView, from: number, to: number): KeyValue | null {
  const valueAt = from + 1 + (from < to ? bytes[from] : 0);
  if (valueAt > to || valueAt === from + 1) return null;
  const field = parseField(utf8.decode(bytes.subarray(from + 1, valueAt)));
  if (field === null) return null;
  if (field.type === 'char') return { key: field.name, value: textOf(bytes.subarray(valueAt, to)) };
  const kind = kindOf(field.type);
  if (kind === null || valueAt + numberBytes[kind] > to || field.count >= 0) return null;
  return {
    key: field.name,
    value: numberAt(view, valueAt, { name: field.name, kind, offset: 0, divisor: 1 }),
  };
}

/** Text up to its first zero byte, without colour codes and other controls. */
export function textOf(bytes: Uint8Array): string {
  const zero = bytes.indexOf(0);
  const text = utf8.decode(zero < 0 ? bytes : bytes.subarray(0, zero));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes of the console are what is taken out
  return text.replace(/\x1b\[[0-9;]*m/g, '').trim();
}
