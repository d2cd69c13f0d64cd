import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { sqlName, sqlText } from '../../../shared/parquet/duck.ts';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import { addLanguageColumns, requireRowOrder } from '../language/language-columns.ts';
import { LanguageTable } from '../language/language-table.ts';
import type { PersistentRow } from '../language/persistent-rows.ts';
import type { RecordedFeature } from './recorded-features.ts';

/** Options for writing data files. */
export interface DataFilesOptions {
  readonly folder: string;
  readonly connection: DuckDBConnection;
  readonly features: readonly RecordedFeature[];
  readonly rate_hz: number;
  /** A file ends after the episode that exceeds this size; 0 for one file per episode. */
  readonly file_bytes: number;
  /** Returns the path of a data file in the set. */
  readonly pathOf: (file: number) => string;
  /** True if rows have LeRobot's language columns. */
  readonly language: boolean;
  /** Folder for temporary files. */
  readonly spill: string;
  /** Memory limit of the engine without text, in MB. */
  readonly memory_mb: number;
}

/** Row-major values of one episode by feature. */
export type RecordedRows = ReadonlyMap<string, Float32Array | Float64Array>;

/** Limits of a row group, which is held in memory. */
const maxGroup = { rows: 20_000, bytes: 16 * 2 ** 20 };

/** Writes rows as Parquet files, episode by episode. */
export class DataFiles {
  readonly #options: DataFilesOptions;
  #file = -1;
  #bytes = 0;
  #appender: DuckDBAppender | null = null;
  readonly #languageTable: LanguageTable;
  /** First and last episode of the open file. */
  #episodes: readonly [from: number, until: number] = [Number.MAX_SAFE_INTEGER, -1];
  /** Number of rows written so far. */
  rows = 0;

  constructor(options: DataFilesOptions) {
    this.#options = options;
    this.#languageTable = new LanguageTable(options.spill, options.memory_mb);
  }

  /**
   * Adds the rows of an episode to the open file and returns the number of that file, which is written when it is full.
   * `languageRows`: its language rows; null for none.
   */
  async add(
    episode: ExportEpisode,
    values: RecordedRows,
    task: number,
    languageRows: readonly PersistentRow[] | null,
  ): Promise<number> {
    const { features, rate_hz, file_bytes } = this.#options;
    const { LIST, FLOAT, DOUBLE } = await import('@duckdb/node-api');
    const appender = this.#appender ?? (await this.#openTable());
    for (let row = 0; row < episode.rows; row++) {
      for (const { key, dims, dtype } of features) {
        const own = values.get(key)!;
        if (dims > 1)
          appender.appendList(
            Array.from(own.subarray(row * dims, (row + 1) * dims)),
            LIST(dtype === 'float64' ? DOUBLE : FLOAT),
          );
        else if (dtype === 'float64') appender.appendDouble(own[row]);
        else appender.appendFloat(own[row]);
        this.#bytes += dims * (dtype === 'float64' ? 8 : 4);
      }
      appender.appendFloat(row / rate_hz);
      for (const value of [row, episode.index, this.rows++, task]) appender.appendBigInt(BigInt(value));
      appender.endRow();
    }
    const { index, episode: recorded } = episode;
    if (languageRows !== null) await this.#languageTable.add({ index, id: recorded.id }, languageRows);
    this.#episodes = [Math.min(this.#episodes[0], index), index];
    const file = this.#file;
    if (this.#bytes >= file_bytes) await this.finish();
    return file;
  }

  /** Closes temporary files without writing the open data file; call `finish` before. */
  close(): Promise<void> {
    return this.#languageTable.close();
  }

  /** Writes the open data file, if any; the next episode begins another. */
  async finish(): Promise<void> {
    if (this.#appender === null) return;
    this.#appender.closeSync();
    this.#appender = null;
    const { folder, connection, pathOf, language } = this.#options;
    const path = join(folder, pathOf(this.#file));
    await mkdir(dirname(path), { recursive: true });
    await connection.run(
      // In the order in which they were appended.
      `COPY ${await this.#rows()} TO ${sqlText(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${this.#languageTable.groupRows(this.#groupRows())})`,
    );
    await connection.run('DROP TABLE recorded_rows');
    if (language) await requireRowOrder(connection, path);
    await this.#languageTable.close();
  }

  async #rows(): Promise<string> {
    const { connection, language } = this.#options;
    if (!language) return 'recorded_rows';
    await this.#languageTable.createTable(connection);
    return `(${await addLanguageColumns(connection, 'SELECT * FROM recorded_rows', this.#episodes)})`;
  }

  #groupRows(): number {
    const row_bytes = this.#options.features.reduce(
      (sum, { dims, dtype }) => sum + dims * (dtype === 'float64' ? 8 : 4),
      36,
    );
    return Math.max(1000, Math.min(maxGroup.rows, Math.floor(maxGroup.bytes / row_bytes)));
  }

  async #openTable(): Promise<DuckDBAppender> {
    const { connection, features } = this.#options;
    const columns = features.map(({ key, dims, dtype }) => {
      const type = dtype === 'float64' ? 'DOUBLE' : 'FLOAT';
      return `${sqlName(key)} ${dims > 1 ? `${type}[]` : type}`;
    });
    const counts = ['frame_index', 'episode_index', '"index"', 'task_index'].map((name) => `${name} BIGINT`);
    await connection.run(
      `CREATE TABLE recorded_rows (${[...columns, '"timestamp" FLOAT', ...counts].join(', ')})`,
    );
    this.#file++;
    this.#bytes = 0;
    this.#episodes = [Number.MAX_SAFE_INTEGER, -1];
    this.#appender = await connection.createAppender('recorded_rows');
    return this.#appender;
  }
}
