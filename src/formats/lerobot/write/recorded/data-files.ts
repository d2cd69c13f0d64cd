import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import type { PersistentRow } from '../language/persistent-rows.ts';
import { SaidLanguage } from '../language/said-language.ts';
import { demandOrder, rowsWithSaid } from '../language/with-said.ts';
import { named, quoted } from '../sql.ts';
import type { RecordedFeature } from './recorded-features.ts';

export interface DataFilesOptions {
  readonly folder: string;
  readonly connection: DuckDBConnection;
  readonly features: readonly RecordedFeature[];
  readonly rate_hz: number;
  /** A file ends with the episode that passes this; 0: each has one of its own. */
  readonly file_bytes: number;
  readonly pathOf: (file: number) => string;
  /** Rows have LeRobot's language columns. */
  readonly language: boolean;
  /** For files that are gone when the set is written. */
  readonly spill: string;
  /** What the engine may take without text. */
  readonly memory_mb: number;
}

/** Rows of one episode by feature, row-major. */
export type RecordedRows = ReadonlyMap<string, Float32Array | Float64Array>;

/** Rows that are written together: so many, and fewer where rows are wide, since the group is held in memory. */
const group = { rows: 20_000, bytes: 16 * 2 ** 20 };

/** Writes rows as Parquet, episode after episode, filling one file and then the next. */
export class DataFiles {
  readonly #options: DataFilesOptions;
  #file = -1;
  #bytes = 0;
  #appender: DuckDBAppender | null = null;
  readonly #said: SaidLanguage;
  /** The first and the last that the file holds. */
  #episodes: readonly [from: number, until: number] = [Number.MAX_SAFE_INTEGER, -1];
  /** Rows that are written. */
  rows = 0;

  constructor(options: DataFilesOptions) {
    this.#options = options;
    this.#said = new SaidLanguage(options.spill, options.memory_mb);
  }

  /** Gives the number of the file that holds the episode. `said`: what layers say of it; null: nothing. */
  async add(
    episode: ExportEpisode,
    values: RecordedRows,
    task: number,
    said: readonly PersistentRow[] | null,
  ): Promise<number> {
    const { features, rate_hz, file_bytes } = this.#options;
    const { LIST, FLOAT, DOUBLE } = await import('@duckdb/node-api');
    const appender = this.#appender ?? (await this.#begin());
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
    if (said !== null) await this.#said.add({ index, id: recorded.id }, said);
    this.#episodes = [Math.min(this.#episodes[0], index), index];
    const file = this.#file;
    if (this.#bytes >= file_bytes) await this.finish();
    return file;
  }

  /** Lets go of files, whether it was finished or not. */
  close(): Promise<void> {
    return this.#said.close();
  }

  async finish(): Promise<void> {
    if (this.#appender === null) return;
    this.#appender.closeSync();
    this.#appender = null;
    const { folder, connection, pathOf, language } = this.#options;
    const path = join(folder, pathOf(this.#file));
    await mkdir(dirname(path), { recursive: true });
    await connection.run(
      // In the order in which they were appended.
      `COPY ${await this.#rows()} TO ${quoted(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${this.#said.groupRows(this.#groupRows())})`,
    );
    await connection.run('DROP TABLE recorded_rows');
    if (language) await demandOrder(connection, path);
    await this.#said.close();
  }

  async #rows(): Promise<string> {
    const { connection, language } = this.#options;
    if (!language) return 'recorded_rows';
    await this.#said.createTable(connection);
    return `(${await rowsWithSaid(connection, 'SELECT * FROM recorded_rows', this.#episodes)})`;
  }

  #groupRows(): number {
    const row_bytes = this.#options.features.reduce(
      (sum, { dims, dtype }) => sum + dims * (dtype === 'float64' ? 8 : 4),
      36,
    );
    return Math.max(1000, Math.min(group.rows, Math.floor(group.bytes / row_bytes)));
  }

  async #begin(): Promise<DuckDBAppender> {
    const { connection, features } = this.#options;
    const columns = features.map(({ key, dims, dtype }) => {
      const type = dtype === 'float64' ? 'DOUBLE' : 'FLOAT';
      return `${named(key)} ${dims > 1 ? `${type}[]` : type}`;
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
