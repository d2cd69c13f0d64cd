import duckdb, { type DataChunk, type Vector } from '@duckdb/node-bindings';
import type { AnswerColumn } from './connection.ts';

/** A flat column of one chunk. */
export interface FlatColumn<Values> {
  readonly values: Values;
  /** True where the entry is null; null when none is. */
  readonly nulls: Uint8Array | null;
}

/** A column of lists: row i is `child[offsets[i] .. offsets[i] + lengths[i]]`. */
export interface ListColumn {
  readonly child: FlatColumn<Float32Array | Float64Array>;
  /** Every row has this length and they lie one behind the other; null when that does not hold. */
  readonly uniform: number | null;
  /** Offset and length of row i as `[offset, length]`; length −1 where the row itself is null. */
  row(index: number): readonly [offset: number, length: number];
}

const { Type } = duckdb;

export function rowsOf(chunk: DataChunk): number {
  return duckdb.data_chunk_get_size(chunk);
}

export function vectorOf(chunk: DataChunk, column: number): Vector {
  return duckdb.data_chunk_get_vector(chunk, column);
}

export function integersOf(
  vector: Vector,
  { name, type }: AnswerColumn,
  count: number,
): FlatColumn<Int32Array> {
  if (type !== Type.INTEGER) throw unexpected(name, type);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * 4);
  return { values: new Int32Array(buffer, byteOffset, count), nulls: nullsOf(vector, count) };
}

export function numbersOf(
  vector: Vector,
  { name, type }: AnswerColumn,
  count: number,
): FlatColumn<Float32Array | Float64Array> {
  return floatsOf(vector, name, type, count);
}

function floatsOf(
  vector: Vector,
  name: string,
  type: number | null,
  count: number,
): FlatColumn<Float32Array | Float64Array> {
  if (type !== Type.FLOAT && type !== Type.DOUBLE) throw unexpected(name, type);
  const bytes = type === Type.FLOAT ? 4 : 8;
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * bytes);
  const values =
    type === Type.FLOAT
      ? new Float32Array(buffer, byteOffset, count)
      : new Float64Array(buffer, byteOffset, count);
  return { values, nulls: nullsOf(vector, count) };
}

export function listsOf(vector: Vector, { name, type, entryType }: AnswerColumn, count: number): ListColumn {
  if (type !== Type.LIST) throw unexpected(name, type);
  // Each entry is two 64-bit words, offset and length; a chunk holds far fewer than 2^32 values.
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * 16);
  const words = new Uint32Array(buffer, byteOffset, count * 4);
  const nulls = nullsOf(vector, count);
  const child = duckdb.list_vector_get_child(vector);
  return {
    child: floatsOf(child, name, entryType, duckdb.list_vector_get_size(vector)),
    uniform: nulls === null ? uniformLength(words, count) : null,
    row: (index) => [words[index * 4], nulls !== null && nulls[index] === 1 ? -1 : words[index * 4 + 2]],
  };
}

function uniformLength(words: Uint32Array, count: number): number | null {
  if (count === 0) return null;
  const length = words[2];
  for (let i = 0, at = 0; i < count; i++, at += length) {
    if (words[i * 4] !== at || words[i * 4 + 2] !== length) return null;
  }
  return length;
}

/** Reads the bytes of texts and blobs; null where the entry is null. The chunk must outlive it. */
export function bytesReader(
  vector: Vector,
  { name, type }: AnswerColumn,
  count: number,
): (row: number) => Uint8Array | null {
  if (type !== Type.VARCHAR && type !== Type.BLOB) throw unexpected(name, type);
  const entries = duckdb.vector_get_data(vector, count * 16);
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  const nulls = nullsOf(vector, count);
  return (row) => {
    if (nulls !== null && nulls[row] === 1) return null;
    const at = row * 16;
    const length = view.getUint32(at, true);
    // Short ones lie in the entry, behind their length; of others it holds the first bytes and where all of them are.
    return length <= 12
      ? entries.subarray(at + 4, at + 4 + length)
      : duckdb.get_data_from_pointer(entries.buffer as ArrayBuffer, entries.byteOffset + at + 8, length);
  };
}

/** Reads single values, integers of 64 bits as text. */
export function valueReader(vector: Vector, column: AnswerColumn, count: number): (row: number) => unknown {
  const { name, type } = column;
  if (type === Type.VARCHAR) {
    const bytes = bytesReader(vector, column, count);
    return (row) => textOf(bytes(row));
  }
  const bytes = widths.get(type);
  if (bytes === undefined) throw unexpected(name, type);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * bytes);
  const view = new DataView(buffer, byteOffset);
  const nulls = nullsOf(vector, count);
  return (row) => (nulls !== null && nulls[row] === 1 ? null : valueAt(view, type, row * bytes));
}

const widths: ReadonlyMap<number, number> = new Map([
  [Type.BOOLEAN, 1],
  [Type.INTEGER, 4],
  [Type.BIGINT, 8],
  [Type.DOUBLE, 8],
]);

function valueAt(view: DataView, type: number, at: number): unknown {
  if (type === Type.BOOLEAN) return view.getUint8(at) !== 0;
  if (type === Type.INTEGER) return view.getInt32(at, true);
  return type === Type.BIGINT ? String(view.getBigInt64(at, true)) : view.getFloat64(at, true);
}

const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : decoder.decode(bytes);
}

function nullsOf(vector: Vector, count: number): Uint8Array | null {
  const bytes: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8);
  if (bytes === null) return null;
  const nulls = new Uint8Array(count);
  let any = false;
  for (let i = 0; i < count; i++) {
    if ((bytes[i >> 3] & (1 << (i & 7))) !== 0) continue;
    nulls[i] = 1;
    any = true;
  }
  return any ? nulls : null;
}

function unexpected(name: string, type: number | null): TypeError {
  return new TypeError(`unexpected column ${name} of type ${type === null ? 'none' : Type[type]}`);
}
