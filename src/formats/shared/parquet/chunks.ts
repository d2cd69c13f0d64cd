import duckdb, { type DataChunk, type Vector } from '@duckdb/node-bindings';
import type { QueryResult, ResultColumn } from './connection.ts';
import { borrowConnection, returnConnection } from './duck.ts';

/** A chunk of query results, at most 2,048 rows, with typed access by column index. */
export interface Chunk {
  readonly rows: number;
  integers(column: number): FlatColumn<Int32Array>;
  numbers(column: number): FlatColumn<Float32Array | Float64Array>;
  lists(column: number): ListColumn;
  text(column: number, row: number): string | null;
  bytes(column: number, row: number): Uint8Array | null;
}

/**
 * Yields the result of a query in chunks of at most 2,048 rows; the next chunk is fetched while the current one is
 * processed.
 */
export async function* fetchChunks(sql: string): AsyncGenerator<Chunk> {
  const connection = await borrowConnection();
  let next: Promise<DataChunk | null> = Promise.resolve(null);
  let failure: unknown;
  try {
    const answer = await connection.stream(sql);
    next = answer.fetch();
    for (;;) {
      const chunk = await next;
      if (chunk === null) return;
      next = answer.fetch();
      yield new FetchedChunk(chunk, answer.columns);
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    await next.catch((thrown: unknown) => {
      failure ??= thrown;
    });
    returnConnection(connection, failure);
  }
}

/**
 * Returns all rows of a query as objects by column name, for small results; BIGINT columns become strings, and types
 * other than VARCHAR, BOOLEAN, DOUBLE and INTEGER throw TypeError.
 */
export async function fetchRows(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await borrowConnection();
  let failure: unknown;
  try {
    return await toObjects(await connection.run(sql));
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    returnConnection(connection, failure);
  }
}

async function toObjects(answer: QueryResult): Promise<Record<string, unknown>[]> {
  const objects: Record<string, unknown>[] = [];
  for (let chunk = await answer.fetch(); chunk !== null; chunk = await answer.fetch()) {
    const count = rowsOf(chunk);
    const first = objects.length;
    for (let row = 0; row < count; row++) objects.push({});
    for (const [at, column] of answer.columns.entries()) {
      const read = valueReader(vectorOf(chunk, at), column, count);
      for (let row = 0; row < count; row++) objects[first + row][column.name] = read(row);
    }
  }
  return objects;
}

class FetchedChunk implements Chunk {
  readonly rows: number;
  readonly #chunk: DataChunk;
  readonly #columns: readonly ResultColumn[];
  readonly #readers: ((row: number) => Uint8Array | null)[] = [];

  constructor(chunk: DataChunk, columns: readonly ResultColumn[]) {
    this.rows = rowsOf(chunk);
    this.#chunk = chunk;
    this.#columns = columns;
  }

  integers(column: number): FlatColumn<Int32Array> {
    return readIntegers(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
  }

  numbers(column: number): FlatColumn<Float32Array | Float64Array> {
    return readNumbers(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
  }

  lists(column: number): ListColumn {
    return readLists(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
  }

  text(column: number, row: number): string | null {
    return decodeText(this.bytes(column, row));
  }

  bytes(column: number, row: number): Uint8Array | null {
    this.#readers[column] ??= bytesReader(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
    return this.#readers[column](row);
  }
}

/** A column of plain values in a chunk. */
export interface FlatColumn<Values> {
  readonly values: Values;
  /** 1 where the entry is null; `null` if no entry is. */
  readonly nulls: Uint8Array | null;
}

/** A column of lists: row i is `child.values[offset .. offset + length]`, with offset and length from `row(i)`. */
export interface ListColumn {
  readonly child: FlatColumn<Float32Array | Float64Array>;
  /** Length of every row, if all are equal, none is null and they lie contiguously; else `null`. */
  readonly uniform: number | null;
  /** Returns offset and length of a row; length is −1 if the row is null. */
  row(index: number): readonly [offset: number, length: number];
}

const { Type } = duckdb;

function rowsOf(chunk: DataChunk): number {
  return duckdb.data_chunk_get_size(chunk);
}

function vectorOf(chunk: DataChunk, column: number): Vector {
  return duckdb.data_chunk_get_vector(chunk, column);
}

function readIntegers(vector: Vector, { name, type }: ResultColumn, count: number): FlatColumn<Int32Array> {
  if (type !== Type.INTEGER) throw unexpectedType(name, type);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * 4);
  return { values: new Int32Array(buffer, byteOffset, count), nulls: readNulls(vector, count) };
}

function readNumbers(
  vector: Vector,
  { name, type }: ResultColumn,
  count: number,
): FlatColumn<Float32Array | Float64Array> {
  return readFloats(vector, name, type, count);
}

function readFloats(
  vector: Vector,
  name: string,
  type: number | null,
  count: number,
): FlatColumn<Float32Array | Float64Array> {
  if (type !== Type.FLOAT && type !== Type.DOUBLE) throw unexpectedType(name, type);
  const bytes = type === Type.FLOAT ? 4 : 8;
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * bytes);
  const values =
    type === Type.FLOAT
      ? new Float32Array(buffer, byteOffset, count)
      : new Float64Array(buffer, byteOffset, count);
  return { values, nulls: readNulls(vector, count) };
}

function readLists(vector: Vector, { name, type, entryType }: ResultColumn, count: number): ListColumn {
  if (type !== Type.LIST) throw unexpectedType(name, type);
  // Each entry is two 64-bit words, offset and length; a chunk holds far fewer than 2^32 values.
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * 16);
  const words = new Uint32Array(buffer, byteOffset, count * 4);
  const nulls = readNulls(vector, count);
  const child = duckdb.list_vector_get_child(vector);
  return {
    child: readFloats(child, name, entryType, duckdb.list_vector_get_size(vector)),
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

/**
 * Returns a function that reads the bytes of a VARCHAR or BLOB entry; null for null entries. The chunk must outlive it.
 */
function bytesReader(
  vector: Vector,
  { name, type }: ResultColumn,
  count: number,
): (row: number) => Uint8Array | null {
  if (type !== Type.VARCHAR && type !== Type.BLOB) throw unexpectedType(name, type);
  const entries = duckdb.vector_get_data(vector, count * 16);
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  const nulls = readNulls(vector, count);
  return (row) => {
    if (nulls !== null && nulls[row] === 1) return null;
    const at = row * 16;
    const length = view.getUint32(at, true);
    // Entries of up to 12 bytes are stored inline after their length; longer ones by pointer.
    return length <= 12
      ? entries.subarray(at + 4, at + 4 + length)
      : duckdb.get_data_from_pointer(entries.buffer as ArrayBuffer, entries.byteOffset + at + 8, length);
  };
}

/** Returns a function that reads single values; BIGINT as string. */
function valueReader(vector: Vector, column: ResultColumn, count: number): (row: number) => unknown {
  const { name, type } = column;
  if (type === Type.VARCHAR) {
    const bytes = bytesReader(vector, column, count);
    return (row) => decodeText(bytes(row));
  }
  const bytes = widthByType.get(type);
  if (bytes === undefined) throw unexpectedType(name, type);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, count * bytes);
  const view = new DataView(buffer, byteOffset);
  const nulls = readNulls(vector, count);
  return (row) => (nulls !== null && nulls[row] === 1 ? null : valueAt(view, type, row * bytes));
}

const widthByType: ReadonlyMap<number, number> = new Map([
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

function decodeText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : decoder.decode(bytes);
}

function readNulls(vector: Vector, count: number): Uint8Array | null {
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

function unexpectedType(name: string, type: number | null): TypeError {
  return new TypeError(`unexpected column ${name} of type ${type === null ? 'none' : Type[type]}`);
}
