import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { LineSpool } from '../line-spool.ts';
import { quoted } from '../sql.ts';
import { languageTypes } from './language-features.ts';
import type { PersistentRow } from './persistent-rows.ts';

/** What is said of each episode of the new set, in a file until rows are written: those of a large set are not held. */
export class SaidLanguage {
  readonly #path: string;
  #spool: LineSpool | null = null;

  /** `folder`: for files that are gone when the set is written. */
  constructor(folder: string) {
    this.#path = join(folder, 'said.jsonl');
  }

  /** Nothing is said of any episode. */
  get isEmpty(): boolean {
    return this.#spool === null;
  }

  /** `index`: the episode's place in the new set. */
  async add(index: number, rows: readonly PersistentRow[]): Promise<void> {
    this.#spool ??= await LineSpool.open(this.#path);
    await this.#spool.add({ index, rows });
  }

  /** As the table `said (index, rows)`, with the episodes that were added since it was closed. */
  async createTable(connection: DuckDBConnection): Promise<void> {
    const type = languageTypes.language_persistent;
    if (this.#spool === null) {
      await connection.run(`CREATE OR REPLACE TEMP TABLE said (index BIGINT, rows ${type})`);
      return;
    }
    await this.#spool.flush();
    const { path, longest } = this.#spool;
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE said AS SELECT * FROM read_json(${quoted(path)}, format = 'newline_delimited',
       columns = {index: 'BIGINT', rows: ${quoted(type)}}, maximum_object_size = ${Math.max(1 << 18, longest * 4)})`,
    );
  }

  async close(): Promise<void> {
    await this.#spool?.close();
    this.#spool = null;
  }
}
