import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import { borrow, giveBack } from './duck.ts';

/** A flat column of one chunk: the engine's own array, valid until the next chunk is asked for. */
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

/** Rows of a query, at most 2,048 at a time. */
export interface Chunk {
  readonly rows: number;
  integers(column: number): FlatColumn<Int32Array>;
  numbers(column: number): FlatColumn<Float32Array | Float64Array>;
  lists(column: number): ListColumn;
  text(column: number, row: number): string | null;
  bytes(column: number, row: number): Uint8Array | null;
}

/** Streams a query. The next chunk is fetched while this one is worked on. */
export async function* chunks(sql: string): AsyncGenerator<Chunk> {
  const connection = await borrow();
  let next: Promise<DuckDBDataChunk | null> = Promise.resolve(null);
  let failure: unknown;
  try {
    const result = await connection.stream(sql);
    next = result.fetchChunk();
    for (;;) {
      const chunk = await next;
      if (chunk === null || chunk.rowCount === 0) return;
      next = result.fetchChunk();
      yield chunkOf(chunk);
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    await next.catch((thrown: unknown) => {
      failure ??= thrown;
    });
    giveBack(connection, failure);
  }
}

/** A query's rows as objects: for small answers only. Integers come as numbers or, past 2^53, as text. */
export async function rows(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await borrow();
  let failure: unknown;
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    giveBack(connection, failure);
  }
}

function chunkOf(chunk: DuckDBDataChunk): Chunk {
  const rowCount = chunk.rowCount;
  return {
    rows: rowCount,
    integers: (column) => flat(chunk.getColumnVector(column), isInt32),
    numbers: (column) => flat(chunk.getColumnVector(column), isFloats),
    lists: (column) => listOf(chunk.getColumnVector(column), rowCount),
    text: (column, row) => {
      const value = chunk.getColumnVector(column).getItem(row);
      return typeof value === 'string' ? value : null;
    },
    bytes: (column, row) => bytesOf(chunk.getColumnVector(column), row),
  };
}

const isInt32 = (items: unknown): items is Int32Array => items instanceof Int32Array;
const isFloats = (items: unknown): items is Float32Array | Float64Array =>
  items instanceof Float32Array || items instanceof Float64Array;

/** The vectors keep their arrays in undocumented members; reading values one by one is 30 times slower. */
function flat<Values extends ArrayLike<number>>(
  vector: DuckDBVector,
  is: (items: unknown) => items is Values,
): FlatColumn<Values> {
  const items: unknown = Reflect.get(vector, 'items');
  if (!is(items)) throw new TypeError(`unexpected column ${vector.constructor.name}`);
  return { values: items, nulls: nullsOf(vector, items.length) };
}

function nullsOf(vector: DuckDBVector, count: number): Uint8Array | null {
  const validity: unknown = Reflect.get(vector, 'validity');
  const bits: unknown = validity instanceof Object ? Reflect.get(validity, 'data') : null;
  if (!(bits instanceof BigUint64Array)) return null;
  const bytes = new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength);
  const nulls = new Uint8Array(count);
  let any = false;
  for (let i = 0; i < count; i++) {
    if ((bytes[i >> 3] & (1 << (i & 7))) !== 0) continue;
    nulls[i] = 1;
    any = true;
  }
  return any ? nulls : null;
}

function listOf(vector: DuckDBVector, count: number): ListColumn {
  const entries: unknown = Reflect.get(vector, 'entryData');
  const childVector: unknown = Reflect.get(vector, 'childData');
  if (!(entries instanceof BigUint64Array) || !isVector(childVector)) {
    throw new TypeError(`unexpected list column ${vector.constructor.name}`);
  }
  // Each entry is two 64-bit words, offset and length; a chunk holds far fewer than 2^32 values.
  const words = new Uint32Array(entries.buffer, entries.byteOffset, count * 4);
  const nulls = nullsOf(vector, count);
  return {
    child: flat(childVector, isFloats),
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

function isVector(value: unknown): value is DuckDBVector {
  return value instanceof Object && 'getItem' in value;
}

function bytesOf(vector: DuckDBVector, row: number): Uint8Array | null {
  const value: unknown = vector.getItem(row);
  const bytes: unknown = value instanceof Object ? Reflect.get(value, 'bytes') : null;
  return bytes instanceof Uint8Array ? bytes : null;
}
