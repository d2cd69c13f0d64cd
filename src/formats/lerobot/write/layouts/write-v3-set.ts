import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../../../shared/parquet/duck.ts';
import {
  type CameraStatistics,
  computeSeriesStatistics,
  computeStatistics,
  type Statistics,
} from '../statistics.ts';
import { writeTasks } from './v3-tasks-table.ts';

/** A numeric feature, e.g. `observation.state` or `action`. */
export interface LeRobotFeature {
  readonly key: string;
  readonly names: readonly string[];
}

/** A camera with video. */
export interface LeRobotCamera {
  readonly key: string;
  readonly width_px: number;
  readonly height_px: number;
  readonly codec: string;
}

/** An episode to write. */
export interface LeRobotEpisode {
  readonly task: string;
  readonly rows: number;
  /** Row-major values by feature key. */
  readonly series: Readonly<Record<string, Float32Array>>;
  /** Video file index by camera key, and the number of its frames before this episode. */
  readonly videos: Readonly<Record<string, { readonly file: number; readonly frames_before: number }>>;
}

/** Content of a LeRobot set. */
export interface LeRobotSet {
  readonly rate_hz: number;
  readonly robot_type: string;
  readonly features: readonly LeRobotFeature[];
  readonly cameras: readonly LeRobotCamera[];
  readonly episodes: readonly LeRobotEpisode[];
  /** Number of episodes per data file. */
  readonly episodes_per_file: number;
  /** Statistics by camera key; see `statistics.ts`. */
  readonly camera_statistics: Readonly<Record<string, CameraStatistics>>;
}

/** Returns the path of a camera's video file in the set, always in chunk 0. */
export function lerobotVideoPath(camera: string, file: number): string {
  return `videos/${camera}/${formatChunkAndFile(file)}.mp4`;
}

/**
 * Writes the tables and metadata of a LeRobot v3.0 set, but not the videos, which the caller writes to
 * `lerobotVideoPath`, episodes one after another. Timestamps are frame_index / rate, as the format defines; quantiles
 * are those of the pooled values.
 */
export async function writeLeRobotV3(folder: string, set: LeRobotSet): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const tasks = [...new Set(set.episodes.map((episode) => episode.task))];
    await mkdir(join(folder, 'meta/episodes/chunk-000'), { recursive: true });
    await writeTasks(connection, folder, tasks);
    await writeData(connection, folder, set, tasks);
    await writeEpisodes(connection, folder, set);
    await writeFile(
      join(folder, 'meta/stats.json'),
      `${JSON.stringify(poolSetStatistics(set, tasks), null, 2)}\n`,
    );
    await writeFile(
      join(folder, 'meta/info.json'),
      `${JSON.stringify(createInfo(set, tasks.length), null, 2)}\n`,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function writeData(
  connection: DuckDBConnection,
  folder: string,
  set: LeRobotSet,
  tasks: readonly string[],
): Promise<void> {
  const lists = set.features.map((feature) => `"${feature.key}" FLOAT[]`).join(', ');
  const columns = `${lists}, "timestamp" FLOAT, frame_index BIGINT, episode_index BIGINT, "index" BIGINT, task_index BIGINT`;
  let index = 0;
  for (let file = 0; file * set.episodes_per_file < set.episodes.length; file++) {
    await connection.run(`CREATE OR REPLACE TABLE data (${columns})`);
    const appender = await connection.createAppender('data');
    const first = file * set.episodes_per_file;
    const last = Math.min(first + set.episodes_per_file, set.episodes.length);
    const { LIST, FLOAT } = await import('@duckdb/node-api');
    for (let e = first; e < last; e++) {
      const episode = set.episodes[e];
      const task = BigInt(tasks.indexOf(episode.task));
      for (let row = 0; row < episode.rows; row++, index++) {
        for (const { key, names } of set.features) {
          const values = episode.series[key].subarray(row * names.length, (row + 1) * names.length);
          appender.appendList(Array.from(values), LIST(FLOAT));
        }
        appender.appendFloat(row / set.rate_hz);
        appender.appendBigInt(BigInt(row));
        appender.appendBigInt(BigInt(e));
        appender.appendBigInt(BigInt(index));
        appender.appendBigInt(task);
        appender.endRow();
      }
    }
    appender.closeSync();
    const path = join(folder, `data/${formatChunkAndFile(file)}.parquet`);
    await mkdir(dirname(path), { recursive: true });
    await connection.run(`COPY (SELECT * FROM data ORDER BY "index") TO ${sqlText(path)} (FORMAT parquet)`);
  }
}

async function writeEpisodes(connection: DuckDBConnection, folder: string, set: LeRobotSet): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  let from = 0;
  set.episodes.forEach((episode, index) => {
    const row: Record<string, unknown> = {
      episode_index: index,
      tasks: [episode.task],
      length: episode.rows,
      'data/chunk_index': 0,
      'data/file_index': Math.floor(index / set.episodes_per_file),
      dataset_from_index: from,
      dataset_to_index: from + episode.rows,
    };
    for (const camera of set.cameras) {
      const { file, frames_before } = episode.videos[camera.key];
      row[`videos/${camera.key}/chunk_index`] = 0;
      row[`videos/${camera.key}/file_index`] = file;
      row[`videos/${camera.key}/from_timestamp`] = frames_before / set.rate_hz;
      row[`videos/${camera.key}/to_timestamp`] = (frames_before + episode.rows) / set.rate_hz;
    }
    row['meta/episodes/chunk_index'] = 0;
    row['meta/episodes/file_index'] = 0;
    for (const { key, names } of set.features) {
      const statistics = computeSeriesStatistics(episode.series[key], names.length);
      for (const [name, value] of Object.entries(statistics)) row[`stats/${key}/${name}`] = value;
    }
    rows.push(row);
    from += episode.rows;
  });
  const scratch = join(folder, 'meta/episodes/chunk-000/rows.jsonl.partial');
  await writeFile(scratch, rows.map((row) => JSON.stringify(row)).join('\n'));
  const columns = Object.entries(rows[0]).map(
    ([name, value]) => `${sqlText(name)}: '${columnType(name, value)}'`,
  );
  const target = join(folder, 'meta/episodes/chunk-000/file-000.parquet');
  await connection.run(
    `COPY (SELECT * FROM read_json(${sqlText(scratch)}, format = 'newline_delimited', columns = {${columns.join(', ')}})
     ORDER BY episode_index) TO ${sqlText(target)} (FORMAT parquet)`,
  );
  await rm(scratch);
}

function columnType(name: string, value: unknown): string {
  if (name === 'tasks') return 'VARCHAR[]';
  if (name.endsWith('/count')) return 'BIGINT[]';
  if (Array.isArray(value)) return 'DOUBLE[]';
  return name.endsWith('_timestamp') ? 'DOUBLE' : 'BIGINT';
}

function poolSetStatistics(
  set: LeRobotSet,
  tasks: readonly string[],
): Record<string, Statistics | CameraStatistics> {
  const all: Record<string, Statistics | CameraStatistics> = {};
  for (const { key, names } of set.features) {
    all[key] = computeStatistics(
      set.episodes.map((episode) => episode.series[key]),
      names.length,
    );
  }
  const columns: Record<string, number[]> = {
    timestamp: [],
    frame_index: [],
    episode_index: [],
    index: [],
    task_index: [],
  };
  set.episodes.forEach((episode, e) => {
    for (let row = 0; row < episode.rows; row++) {
      columns.timestamp.push(row / set.rate_hz);
      columns.frame_index.push(row);
      columns.episode_index.push(e);
      columns.index.push(columns.index.length);
      columns.task_index.push(tasks.indexOf(episode.task));
    }
  });
  for (const [key, values] of Object.entries(columns))
    all[key] = computeStatistics([Float64Array.from(values)], 1);
  return { ...all, ...set.camera_statistics };
}

function createInfo(set: LeRobotSet, tasks: number): Record<string, unknown> {
  const features: Record<string, unknown> = {};
  for (const { key, names } of set.features)
    features[key] = { dtype: 'float32', shape: [names.length], names };
  for (const camera of set.cameras) {
    features[camera.key] = {
      dtype: 'video',
      shape: [camera.height_px, camera.width_px, 3],
      names: ['height', 'width', 'channels'],
      info: {
        'video.height': camera.height_px,
        'video.width': camera.width_px,
        'video.channels': 3,
        'video.codec': camera.codec,
        'video.pix_fmt': 'yuv420p',
        'video.fps': set.rate_hz,
        'video.is_depth_map': false,
        has_audio: false,
      },
    };
  }
  features.timestamp = { dtype: 'float32', shape: [1], names: null };
  for (const key of ['frame_index', 'episode_index', 'index', 'task_index']) {
    features[key] = { dtype: 'int64', shape: [1], names: null };
  }
  return {
    codebase_version: 'v3.0',
    robot_type: set.robot_type,
    total_episodes: set.episodes.length,
    total_frames: set.episodes.reduce((sum, episode) => sum + episode.rows, 0),
    total_tasks: tasks,
    chunks_size: 1000,
    data_files_size_in_mb: 100,
    video_files_size_in_mb: 200,
    fps: set.rate_hz,
    splits: { train: `0:${set.episodes.length}` },
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4',
    features,
  };
}

function formatChunkAndFile(file: number): string {
  return `chunk-000/file-${String(file).padStart(3, '0')}`;
}
