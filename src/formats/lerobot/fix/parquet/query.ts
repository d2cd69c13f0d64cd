import { wrapReadError } from '#core';
import { type Chunk, fetchChunks, fetchRows } from '../../../shared/parquet/chunks.ts';

const advice = 'Restore the file, or remove its episodes from the dataset; nothing was changed.';

/**
 * Yields the result of a query over a table in chunks; throws `unreadable_input` naming `path` if the table is damaged.
 */
export async function* queryChunks(path: string, sql: string): AsyncGenerator<Chunk> {
  try {
    yield* fetchChunks(sql);
  } catch (thrown) {
    throw isFault(thrown) ? thrown : wrapReadError(thrown, path, advice);
  }
}

/**
 * Returns all rows of a query with a small result as objects; throws `unreadable_input` naming `path` if the table is
 * damaged.
 */
export async function queryRows(path: string, sql: string): Promise<Record<string, unknown>[]> {
  try {
    return await fetchRows(sql);
  } catch (thrown) {
    throw isFault(thrown) ? thrown : wrapReadError(thrown, path, advice);
  }
}

/** Returns true for program errors; the engine throws plain Errors for damaged files. */
const isFault = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError;
