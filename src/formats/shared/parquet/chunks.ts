import type { DataChunk } from '@duckdb/node-bindings';
import type { Answer, AnswerColumn } from './connection.ts';
import { borrow, giveBack } from './duck.ts';
import {
  bytesReader,
  type FlatColumn,
  integersOf,
  type ListColumn,
  listsOf,
  numbersOf,
  rowsOf,
  textOf,
  valueReader,
  vectorOf,
} from './vectors.ts';

export type { FlatColumn, ListColumn } from './vectors.ts';

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
    giveBack(connection, failure);
  }
}

/**
 * A query's rows as objects: for small answers only, of texts, booleans, doubles and integers of 32 bits, or of 64
 * bits, which come as text.
 */
export async function rows(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await borrow();
  let failure: unknown;
  try {
    return await objectsOf(await connection.run(sql));
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    giveBack(connection, failure);
  }
}

async function objectsOf(answer: Answer): Promise<Record<string, unknown>[]> {
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
  readonly #columns: readonly AnswerColumn[];
  readonly #readers: ((row: number) => Uint8Array | null)[] = [];

  constructor(chunk: DataChunk, columns: readonly AnswerColumn[]) {
    this.rows = rowsOf(chunk);
    this.#chunk = chunk;
    this.#columns = columns;
  }

  integers(column: number): FlatColumn<Int32Array> {
    return integersOf(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
  }

  numbers(column: number): FlatColumn<Float32Array | Float64Array> {
    return numbersOf(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
  }

  lists(column: number): ListColumn {
    return listsOf(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
  }

  text(column: number, row: number): string | null {
    return textOf(this.bytes(column, row));
  }

  bytes(column: number, row: number): Uint8Array | null {
    this.#readers[column] ??= bytesReader(vectorOf(this.#chunk, column), this.#columns[column], this.rows);
    return this.#readers[column](row);
  }
}
