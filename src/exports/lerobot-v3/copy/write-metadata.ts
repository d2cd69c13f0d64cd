import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonObject, JsonValue } from '#kernel';
import { aggregateStatistics, type FeatureStatistics } from '../aggregate-statistics.ts';
import { quoted } from '../sql.ts';
import { filesPerChunk } from './place-files.ts';

/** A row of meta/episodes as plain JSON, statistics as `stats/<feature>/<name>`. */
export type EpisodeRow = Readonly<Record<string, unknown>>;

const spooled_chars = 1 << 20;

/** Writes meta/episodes: one file, in row groups, so that a reader need not hold it. */
export async function writeEpisodeRows(
  connection: DuckDBConnection,
  folder: string,
  rows: Iterable<EpisodeRow>,
): Promise<void> {
  await mkdir(join(folder, 'meta/episodes/chunk-000'), { recursive: true });
  const scratch = join(folder, 'meta/episodes/chunk-000/rows.jsonl.partial');
  const columns = await spoolRows(scratch, rows);
  const types = [...columns].map(([name, type]) => `${quoted(name)}: '${type}'`);
  await connection.run(
    `COPY (SELECT * FROM read_json(${quoted(scratch)}, format = 'newline_delimited', columns = {${types.join(', ')}},
     maximum_object_size = 16777216) ORDER BY episode_index)
     TO ${quoted(join(folder, 'meta/episodes/chunk-000/file-000.parquet'))} (FORMAT parquet, COMPRESSION snappy)`,
  );
  await rm(scratch);
}

/** Writes rows as lines of JSON, some at a time: those of a large set are longer than a text may be. Gives types by column. */
async function spoolRows(path: string, rows: Iterable<EpisodeRow>): Promise<ReadonlyMap<string, string>> {
  const columns = new Map<string, string>();
  const file = await open(path, 'w');
  try {
    let text = '';
    for (const row of rows) {
      for (const [name, value] of Object.entries(row))
        if (!columns.has(name)) columns.set(name, columnType(name, value));
      text += `${JSON.stringify(row)}\n`;
      if (text.length < spooled_chars) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
  } finally {
    await file.close();
  }
  return columns;
}

function columnType(name: string, value: unknown): string {
  if (name === 'tasks') return 'VARCHAR[]';
  if (name.endsWith('/count')) return 'BIGINT[]';
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  if (depth > 0) return `DOUBLE${'[]'.repeat(depth)}`;
  return name.endsWith('_timestamp') ? 'DOUBLE' : 'BIGINT';
}

/** meta/stats.json of the whole set, from the statistics of its episodes. */
export async function writeSetStatistics(
  folder: string,
  episodes: readonly Readonly<Record<string, FeatureStatistics>>[],
): Promise<void> {
  const features = new Set(episodes.flatMap((stats) => Object.keys(stats)));
  const all: Record<string, FeatureStatistics> = {};
  for (const feature of features) {
    const pooled = aggregateStatistics(
      episodes.flatMap((stats) => (feature in stats ? [stats[feature]] : [])),
    );
    if (pooled !== null) all[feature] = pooled;
  }
  await writeFile(join(folder, 'meta/stats.json'), `${JSON.stringify(all, null, 4)}\n`);
}

const counting = { dtype: 'int64', shape: [1], names: null };

/** With the columns that count, where the source leaves one out. */
function withCounts(features: JsonValue | undefined, absent: readonly string[]): JsonObject {
  const counts = ['frame_index', 'episode_index', 'index', 'task_index'].map((key) => [key, counting]);
  return {
    ...Object.fromEntries(counts),
    ...Object.fromEntries(Object.entries(features as JsonObject).filter(([key]) => !absent.includes(key))),
  };
}

interface InfoCounts {
  /** Features that the copy does not declare. */
  readonly absent: readonly string[];
  readonly episodes: number;
  readonly frames: number;
  readonly tasks: number;
  readonly splits: Readonly<Record<string, string>>;
}

/** meta/info.json: the source's, with what has changed. */
export async function writeInfo(folder: string, source: JsonObject, counts: InfoCounts): Promise<void> {
  const { total_chunks: _chunks, total_videos: _videos, ...info } = source;
  const features = withCounts(info.features, counts.absent);
  const hasVideo = Object.values(features as Record<string, JsonObject>).some(
    ({ dtype }) => dtype === 'video',
  );
  const changed = {
    ...info,
    features,
    codebase_version: 'v3.0',
    total_episodes: counts.episodes,
    total_frames: counts.frames,
    total_tasks: counts.tasks,
    chunks_size: filesPerChunk,
    data_files_size_in_mb: info.data_files_size_in_mb ?? 100,
    video_files_size_in_mb: info.video_files_size_in_mb ?? 200,
    splits: counts.splits,
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: hasVideo ? 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4' : null,
  };
  await writeFile(join(folder, 'meta/info.json'), `${JSON.stringify(changed, null, 4)}\n`);
}
