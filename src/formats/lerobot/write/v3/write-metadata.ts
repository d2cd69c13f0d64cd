import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { MetadataWriter, PlacedEpisode, SetSummary } from '../layout.ts';
import { LineSpool } from '../line-spool.ts';
import { quoted } from '../sql.ts';
import { StatisticsPool } from '../statistics/aggregate-statistics.ts';
import { episodeRow } from './episode-row.ts';
import { filesPerChunk } from './place-files.ts';
import { writeTasks } from './tasks-table.ts';

/** meta/episodes, meta/tasks, meta/stats.json and meta/info.json. */
export class MetadataV3 implements MetadataWriter {
  readonly #folder: string;
  readonly #connection: DuckDBConnection;
  readonly #rows: LineSpool;
  readonly #pool = new StatisticsPool();
  readonly #columns = new Map<string, string>();

  private constructor(folder: string, connection: DuckDBConnection, rows: LineSpool) {
    this.#folder = folder;
    this.#connection = connection;
    this.#rows = rows;
  }

  static async open(folder: string, connection: DuckDBConnection): Promise<MetadataV3> {
    const rows = await LineSpool.open(join(folder, 'meta/episodes/chunk-000/rows.jsonl.partial'));
    return new MetadataV3(folder, connection, rows);
  }

  async add(episode: PlacedEpisode): Promise<void> {
    const row = episodeRow(episode);
    for (const [name, value] of Object.entries(row))
      if (!this.#columns.has(name)) this.#columns.set(name, columnType(name, value));
    this.#pool.add(episode.statistics);
    await this.#rows.add(row);
  }

  async finish(summary: SetSummary): Promise<void> {
    await this.#rows.flush();
    await this.#writeEpisodes();
    await writeTasks(this.#connection, this.#folder, summary.tasks);
    const statistics = `${JSON.stringify(this.#pool.result(), null, 4)}\n`;
    await writeFile(join(this.#folder, 'meta/stats.json'), statistics);
    await writeFile(join(this.#folder, 'meta/info.json'), `${JSON.stringify(infoOf(summary), null, 4)}\n`);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  /** One file, in row groups, so that a reader need not hold it. */
  async #writeEpisodes(): Promise<void> {
    const { path, longest } = this.#rows;
    const types = [...this.#columns].map(([name, type]) => `${quoted(name)}: '${type}'`);
    await this.#connection.run(
      `COPY (SELECT * FROM read_json(${quoted(path)}, format = 'newline_delimited', columns = {${types.join(', ')}},
       maximum_object_size = ${Math.max(1 << 18, longest * 4)}))
       TO ${quoted(join(this.#folder, 'meta/episodes/chunk-000/file-000.parquet'))} (FORMAT parquet, COMPRESSION snappy,
       ROW_GROUP_SIZE ${group_rows})`,
    );
    await rm(path);
  }
}

/** A row has hundreds of columns of lists. */
const group_rows = 2048;

function columnType(name: string, value: unknown): string {
  if (name === 'tasks') return 'VARCHAR[]';
  if (name.endsWith('/count')) return 'BIGINT[]';
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  if (depth > 0) return `DOUBLE${'[]'.repeat(depth)}`;
  return name.endsWith('_timestamp') ? 'DOUBLE' : 'BIGINT';
}

/** The source's, with what has changed. */
function infoOf({ info: source, episodes, frames, cameras, tasks, splits }: SetSummary) {
  const { total_chunks: _chunks, total_videos: _videos, ...info } = source;
  return {
    ...info,
    codebase_version: 'v3.0',
    total_episodes: episodes,
    total_frames: frames,
    total_tasks: tasks.length,
    chunks_size: filesPerChunk,
    data_files_size_in_mb: info.data_files_size_in_mb ?? 100,
    video_files_size_in_mb: info.video_files_size_in_mb ?? 200,
    splits,
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: cameras > 0 ? 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4' : null,
  };
}
