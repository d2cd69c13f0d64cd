import type { FileHandle } from 'node:fs/promises';
import { AssayError } from '#core';
import { type ThriftList, ThriftReader, type ThriftStruct, type ThriftValue, wireTypes } from './thrift.ts';

/** Field ids of FileMetaData in `parquet.thrift`. */
export const fileField = { schema: 2, rows: 3, groups: 4, entries: 5, orders: 7 } as const;
/** Field ids of RowGroup. */
export const groupField = { columns: 1, bytes: 2, rows: 3, offset: 5, packed: 6 } as const;
/** Field ids of ColumnChunk. */
export const chunkField = { path: 1, offset: 2, data: 3, indexes: [4, 5, 6, 7] } as const;
/** Field ids of ColumnMetaData. */
export const dataField = {
  type: 1,
  encodings: 2,
  name: 3,
  codec: 4,
  values: 5,
  bytes: 6,
  packed: 7,
  page: 9,
  indexPage: 10,
  dictionary: 11,
  statistics: 12,
  encodingStats: 13,
  bloom: [14, 15],
} as const;

const trailerBytes = 8;
const maxFooterBytes = 512 * 1024 * 1024;
/** Magic number at the start and end of a Parquet file. */
export const magic = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/** Reads and parses the footer of an open Parquet file; throws `unreadable_input` naming `label` if there is none. */
export async function readFooter(file: FileHandle, label: string): Promise<ThriftStruct> {
  const { size } = await file.stat();
  const trailer = new Uint8Array(trailerBytes);
  if (size >= 12) await file.read(trailer, 0, trailerBytes, size - trailerBytes);
  const length = new DataView(trailer.buffer).getUint32(0, true);
  const whole = magic.every((byte, at) => trailer[4 + at] === byte);
  if (!whole || length > maxFooterBytes || length + 12 > size) throw noFooter(label);
  const bytes = new Uint8Array(length);
  await file.read(bytes, 0, length, size - trailerBytes - length);
  try {
    return new ThriftReader(bytes).struct();
  } catch (thrown) {
    throw noFooter(label, thrown);
  }
}

function noFooter(label: string, cause?: unknown): AssayError {
  return new AssayError('unreadable_input', `${label} has no Parquet footer`, {
    path: label,
    cause,
    advice: 'the recorder was killed, or the copy is incomplete',
  });
}

/** Returns a list field; throws RangeError if it is missing or not a list. */
export function listAt(struct: ThriftStruct, id: number): ThriftList {
  const value = struct.get(id)?.value;
  if (typeof value === 'object' && 'items' in value) return value;
  throw new RangeError(`field ${id} is not a list`);
}

/** Returns a struct field; throws RangeError if it is missing or not a struct. */
export function structAt(struct: ThriftStruct, id: number): ThriftStruct {
  return asStruct(struct.get(id)?.value);
}

/** Returns the value if it is a struct; throws RangeError if it is not. */
export function asStruct(value: ThriftValue | undefined): ThriftStruct {
  if (value instanceof Map) return value;
  throw new RangeError('not a struct');
}

/** Returns a number field; −1 if it is missing. */
export function numberAt(struct: ThriftStruct, id: number): number {
  const value = struct.get(id)?.value;
  return value === undefined ? -1 : Number(value);
}

/** Returns a text field decoded from UTF-8; empty if it is missing or not binary. */
export function textAt(struct: ThriftStruct, id: number): string {
  const value = struct.get(id)?.value;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : '';
}

/** Sets a 64-bit number field. */
export function setLong(struct: ThriftStruct, id: number, value: number): void {
  struct.set(id, { type: wireTypes.i64, value });
}

/** A flat column: its physical type, and whether it is optional. */
export interface FlatLeaf {
  readonly physical: number;
  readonly optional: boolean;
}

/**
 * Returns the physical type of each top-level column without children that is not repeated, and whether it is optional,
 * by name; nested columns are left out.
 */
export function flatLeaves(footer: ThriftStruct): Map<string, FlatLeaf> {
  const elements = listAt(footer, fileField.schema).items.map(asStruct);
  const leaves = new Map<string, FlatLeaf>();
  let at = 1;
  while (at < elements.length) {
    const element = elements[at];
    const repetition = numberAt(element, 3);
    if (numberAt(element, 5) <= 0 && repetition !== 2)
      leaves.set(textAt(element, 4), { physical: numberAt(element, 1), optional: repetition === 1 });
    at = nextSibling(elements, at);
  }
  return leaves;
}

/**
 * Removes top-level columns from a footer in place: their schema trees, chunks and orders, and the Arrow, pandas and
 * Hugging Face entries, which describe all columns. The data is not touched.
 */
export function dropColumns(footer: ThriftStruct, names: ReadonlySet<string>): void {
  const schema = listAt(footer, fileField.schema);
  const elements = schema.items.map(asStruct);
  const kept = [elements[0]];
  const leaves: boolean[] = [];
  let children = 0;
  for (let at = 1; at < elements.length; ) {
    const end = nextSibling(elements, at);
    const keep = !names.has(textAt(elements[at], 4));
    if (keep) kept.push(...elements.slice(at, end));
    for (let one = at; one < end; one++) if (numberAt(elements[one], 5) <= 0) leaves.push(keep);
    children += keep ? 1 : 0;
    at = end;
  }
  elements[0].set(5, { type: wireTypes.i32, value: children });
  schema.items.splice(0, schema.items.length, ...kept);
  for (const group of listAt(footer, fileField.groups).items.map(asStruct)) {
    const columns = listAt(group, groupField.columns).items;
    columns.splice(0, columns.length, ...columns.filter((_, at) => leaves[at]));
  }
  if (footer.has(fileField.orders)) {
    const orders = listAt(footer, fileField.orders).items;
    orders.splice(0, orders.length, ...orders.filter((_, at) => leaves[at]));
  }
  if (!footer.has(fileField.entries)) return;
  const entries = listAt(footer, fileField.entries).items;
  const whole = entries
    .map(asStruct)
    .filter((entry) => !/^(ARROW:schema|huggingface|pandas)$/.test(textAt(entry, 1)));
  entries.splice(0, entries.length, ...whole);
}

/** Returns the position of the schema element after this one and its children. */
function nextSibling(elements: readonly ThriftStruct[], at: number): number {
  let open = 1;
  let next = at;
  while (open > 0 && next < elements.length) {
    open += Math.max(0, numberAt(elements[next], 5)) - 1;
    next += 1;
  }
  return next;
}
