import { asUnreadable } from '#core';
import { type Chunk, chunks, rows } from '../../../shared/parquet/chunks.ts';

const advice = 'Restore the file, or take its episodes out of the set; nothing was changed.';

/** Streams a query over a table of the dataset. Throws `unreadable_input`, naming `path`, where the table is damaged. */
export async function* queryChunks(path: string, sql: string): AsyncGenerator<Chunk> {
  try {
    yield* chunks(sql);
  } catch (thrown) {
    throw isFault(thrown) ? thrown : asUnreadable(thrown, path, advice);
  }
}

/** The rows of a small answer; throws as `queryChunks`. */
export async function queryRows(path: string, sql: string): Promise<Record<string, unknown>[]> {
  try {
    return await rows(sql);
  } catch (thrown) {
    throw isFault(thrown) ? thrown : asUnreadable(thrown, path, advice);
  }
}

/** A fault of the program is no damaged file; what the engine throws is a plain Error. */
const isFault = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError;
