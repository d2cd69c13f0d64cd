import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#core';
import { LineSpool } from '../line-spool.ts';
import { quoted } from '../sql.ts';
import { languageTypes } from './language-features.ts';
import type { PersistentRow } from './persistent-rows.ts';

const group_bytes = 16 * 2 ** 20;
/** A group of the engine has at least as many. */
const leastRows = 2048;

/** LeRobot repeats the text of an episode in each of its rows, and a group of rows is held. */
const most_chars = 96 * 1024;
/** What the engine takes of a row for each character: it is held where it is read, joined and written. */
const copies = 6;

interface SpokenEpisode {
  readonly index: number;
  readonly id: string;
}

/** What is said of each episode of the new set, in a file until rows are written: those of a large set are not held. */
export class SaidLanguage {
  readonly #path: string;
  readonly #memory_mb: number;
  #spool: LineSpool | null = null;

  /** `folder`: for files that are gone when the set is written; `memory_mb`: what the engine may take without text. */
  constructor(folder: string, memory_mb: number) {
    this.#path = join(folder, 'said.jsonl');
    this.#memory_mb = memory_mb;
  }

  /** Nothing is said of any episode. */
  get isEmpty(): boolean {
    return this.#spool === null;
  }

  /** `index`: the episode's place in the new set. Throws `usage` where it is more text than each of its rows may hold. */
  async add({ index, id }: SpokenEpisode, rows: readonly PersistentRow[]): Promise<void> {
    if (JSON.stringify(rows).length > most_chars) throw tooMuch(id, rows.length);
    this.#spool ??= await LineSpool.open(this.#path);
    await this.#spool.add({ index, rows });
  }

  /**
   * As the table `said (index, rows)`, with the episodes that were added since it was closed. From then on one thread works,
   * and rows that are joined with it keep their order.
   */
  async createTable(connection: DuckDBConnection): Promise<void> {
    const type = languageTypes.language_persistent;
    await connection.run('SET threads = 1');
    await connection.run(`SET disabled_optimizers = 'join_order,build_side_probe_side'`);
    if (this.#spool === null) {
      await connection.run(`CREATE OR REPLACE TEMP TABLE said (index BIGINT, rows ${type})`);
      return;
    }
    await this.#spool.flush();
    const { path, longest } = this.#spool;
    await connection.run(
      `SET memory_limit = '${this.#memory_mb + Math.ceil((longest * leastRows * copies) / 2 ** 20)}MB'`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE said AS SELECT * FROM read_json(${quoted(path)}, format = 'newline_delimited',
       columns = {index: 'BIGINT', rows: ${quoted(type)}}, maximum_object_size = ${Math.max(1 << 18, longest * 4)})`,
    );
  }

  /** Rows that are written together, of `most` that would be without text: all of a group are held. */
  groupRows(most: number): number {
    return Math.max(leastRows, Math.min(most, Math.floor(group_bytes / (this.#spool?.longest ?? 1))));
  }

  async close(): Promise<void> {
    await this.#spool?.close();
    this.#spool = null;
  }
}

const tooMuch = (id: string, texts: number): AssayError =>
  new AssayError(
    'usage',
    `layers say ${texts} texts of ${id}, and LeRobot repeats them in each of its rows`,
    {
      advice:
        'annotate with longer windows of captions and fewer segments, or cut the recording into episodes',
    },
  );
