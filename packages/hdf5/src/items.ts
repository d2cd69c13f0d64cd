import { Cursor } from './cursor.ts';
import type { Hdf5Type } from './datatype.ts';
import { beyondLimit, type Place, unsupported } from './errors.ts';
import type { FileBytes } from './file-bytes.ts';
import { limits } from './limits.ts';
import { type NumberArray, numberType, toNumbers } from './numbers.ts';
import type { GlobalHeap } from './structure/global-heap.ts';

/** Where items of variable length are looked up. */
export interface ItemSource {
  readonly bytes: FileBytes;
  readonly heap: GlobalHeap;
  readonly place: Place;
}

/** The bytes of each element on its own: texts without padding, sequences of variable length, opaque values. */
export async function toItems(source: ItemSource, stored: Uint8Array, type: Hdf5Type): Promise<Uint8Array[]> {
  const isVariable = type.kind === 'sequence' || (type.kind === 'text' && type.variable);
  if (isVariable) return variableItems(source, stored, type.kind === 'sequence' ? type.base.bytes : 1);
  const items: Uint8Array[] = [];
  for (let at = 0; at + type.bytes <= stored.length; at += type.bytes) {
    const item = stored.subarray(at, at + type.bytes);
    items.push(type.kind === 'text' ? withoutPadding(item, type.padding) : item);
  }
  return items;
}

async function variableItems(source: ItemSource, stored: Uint8Array, width: number): Promise<Uint8Array[]> {
  const cursor = new Cursor(stored, 0, source.bytes.widths);
  const items: Uint8Array[] = [];
  let total = 0;
  while (cursor.left >= 8 + source.bytes.widths.offsetBytes) {
    const count = cursor.u32();
    const address = cursor.address();
    const index = cursor.u32();
    const isEmpty = count === 0 || address === null || address === 0;
    const item = isEmpty ? new Uint8Array(0) : await source.heap.item(address, index, count * width);
    // Many elements may name one item.
    total += item.length;
    if (total > limits.answerBytes) throw beyondLimit(`read of ${total} bytes at once`, source.place);
    items.push(item);
  }
  return items;
}

function withoutPadding(item: Uint8Array, padding: 'terminated' | 'zeros' | 'spaces'): Uint8Array {
  if (padding === 'terminated') {
    const end = item.indexOf(0);
    return end < 0 ? item : item.subarray(0, end);
  }
  const pad = padding === 'zeros' ? 0 : 0x20;
  let end = item.length;
  while (end > 0 && item[end - 1] === pad) end--;
  return item.subarray(0, end);
}

/** Texts; those that call themselves ASCII are read as UTF-8 too, which they are in practice. */
export function toText(item: Uint8Array): string {
  return Buffer.from(item.buffer, item.byteOffset, item.length).toString('utf8');
}

/** An attribute's value: one, or several in a row. */
export type Hdf5Value = string | number | bigint | boolean | readonly string[] | NumberArray;

/** Reads a value that is no array of rows. Throws `unsupported_version` for what is neither text nor number. */
export async function toValue(
  source: ItemSource,
  stored: Uint8Array,
  type: Hdf5Type,
  isScalar: boolean,
): Promise<Hdf5Value> {
  if (type.kind === 'text') {
    const texts = (await toItems(source, stored, type)).map(toText);
    return isScalar ? (texts[0] ?? '') : texts;
  }
  const numeric = numberType(type);
  if (numeric === null) throw notRead(type, source.place);
  const numbers = toNumbers(Uint8Array.from(stored), numeric);
  if (!isScalar || type.kind === 'array') return numbers;
  return type.kind === 'enum' && type.boolean ? Number(numbers[0]) !== 0 : numbers[0];
}

/** What to say of a type that the caller cannot use. */
export function notRead(type: Hdf5Type, place: Place): Error {
  const name =
    type.kind === 'other' ? type.name : type.kind === 'float' ? `float of ${type.bytes * 8} bits` : type.kind;
  return unsupported(`unsupported value type ${name}`, place, 'store it as plain numbers or strings');
}
