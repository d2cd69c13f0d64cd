import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#core';
import { sqlText } from '../../../shared/parquet/duck.ts';
import { LineSpool } from '../line-spool.ts';
import { languageTypes } from './language-features.ts';
import type { PersistentRow } from './persistent-rows.ts';

/** Maximum text per row group, in bytes. */
const maxGroup_bytes = 16 * 2 ** 20;
/** Minimum rows of the engine's row groups. */
const minGroupRows = 2048;

/** Maximum text per episode in characters: LeRobot repeats it in each row, and a row group is held in memory. */
const maxText_chars = 96 * 1024;
/** Engine memory per character of a row, in bytes: it is held while read, joined and written. */
const engineBytesPerChar = 6;

interface EpisodeRef {
  readonly index: number;
  readonly id: string;
}

/**
 * Spools the language rows of all episodes to a file until data rows are written, so that they are not held in memory.
 */
export class LanguageTable {
  readonly #path: string;
  readonly #memory_mb: number;
  #spool: LineSpool | null = null;

  /**
   * Creates an empty table. `folder`: for temporary files; `memory_mb`: memory limit of the engine without text.
   */
  constructor(folder: string, memory_mb: number) {
    this.#path = join(folder, 'language_rows.jsonl');
    this.#memory_mb = memory_mb;
  }

  /** True if no episode has language rows. */
  get isEmpty(): boolean {
    return this.#spool === null;
  }

  /** Adds the rows of an episode. Throws `usage` if its text exceeds the limit. */
  async add({ index, id }: EpisodeRef, rows: readonly PersistentRow[]): Promise<void> {
    if (JSON.stringify(rows).length > maxText_chars) throw createTooMuchTextError(id, rows.length);
    this.#spool ??= await LineSpool.open(this.#path);
    await this.#spool.add({ index, rows });
  }

  /**
   * Creates the SQL table `language_rows (index, rows)` with the episodes added since it was closed. Limits the engine to one
   * thread, so that joined rows keep their order.
   */
  async createTable(connection: DuckDBConnection): Promise<void> {
    const type = languageTypes.language_persistent;
    await connection.run('SET threads = 1');
    await connection.run(`SET disabled_optimizers = 'join_order,build_side_probe_side'`);
    if (this.#spool === null) {
      await connection.run(`CREATE OR REPLACE TEMP TABLE language_rows (index BIGINT, rows ${type})`);
      return;
    }
    await this.#spool.flush();
    const { path, longest } = this.#spool;
    await connection.run(
      `SET memory_limit = '${this.#memory_mb + Math.ceil((longest * minGroupRows * engineBytesPerChar) / 2 ** 20)}MB'`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE language_rows AS SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited',
       columns = {index: 'BIGINT', rows: ${sqlText(type)}}, maximum_object_size = ${Math.max(1 << 18, longest * 4)})`,
    );
  }

  /**
   * Returns the rows per row group with which a group of text fits in memory: at most `maxRows`, but at least 2048, the
   * engine's minimum.
   */
  groupRows(maxRows: number): number {
    return Math.max(
      minGroupRows,
      Math.min(maxRows, Math.floor(maxGroup_bytes / (this.#spool?.longest ?? 1))),
    );
  }

  /** Closes the temporary file and empties the table, so that the next episodes can be added. */
  async close(): Promise<void> {
    await this.#spool?.close();
    this.#spool = null;
  }
}

const createTooMuchTextError = (id: string, texts: number): AssayError =>
  new AssayError(
    'usage',
    `${id} has ${texts} annotation texts, too many to repeat in every row as LeRobot requires`,
    {
      advice: 'annotate with longer caption windows and fewer segments, or split the recording into episodes',
    },
  );
