import type { Studio } from './film.ts';
import { bytesOf } from './picture-values.ts';
import type { RecordedEpisode, Recording } from './recording.ts';
import { pictureSize } from './scene.ts';
import { codeOf, type Shot, shotKey } from './shot.ts';
import { cameraEntry, type Entry, entryV2, entryV3, type Kind, pooled } from './statistics.ts';
import type { DataFile, DataRow, Feature, Info, Statistics, Version, WrittenSet } from './written-set.ts';

/** The recording as LeRobot 0.3.3 (v2.1) or 0.4.4 (v3.0) would have written it. */
export function layOut(recording: Recording, version: Version, studio: Studio): WrittenSet {
  const texts = [...new Set(recording.episodes.map((episode) => episode.task))];
  const tables = recording.episodes.map((episode, index) => tableOf(recording, episode, index, texts));
  const statistics = recording.episodes.map((episode, index) =>
    statisticsOf(recording, episode, tables[index], version, studio),
  );
  const set: WrittenSet = {
    version,
    recording,
    studio,
    info: infoOf(recording, texts.length, version),
    tasks: texts.map((task, task_index) => ({ task_index, task })),
    taskIndex: true,
    episodes: recording.episodes.map(({ task, rows }, episode_index) => ({
      episode_index,
      tasks: [task],
      length: rows,
    })),
    episodeStats: [],
    stats: null,
    data: [],
    videos: [],
    extra: {},
    after: [],
  };
  if (version === 'v2.1') layOutV2(set, tables, statistics);
  else layOutV3(set, tables, statistics);
  return set;
}

function layOutV2(set: WrittenSet, tables: readonly DataRow[][], statistics: readonly Statistics[]): void {
  const { recording } = set;
  set.episodeStats = statistics.map((stats, episode_index) => ({ episode_index, stats }));
  tables.forEach((rows, e) => {
    set.data.push(dataFile(`data/chunk-000/episode_${pad(e, 6)}.parquet`, rows));
    recording.cameras.forEach((camera, c) => {
      const path = `videos/chunk-000/${camera}/episode_${pad(e, 6)}.mp4`;
      set.videos.push({ path, camera, clips: [{ episode: e, shots: [...recording.episodes[e].shots[c]] }] });
    });
  });
}

function layOutV3(set: WrittenSet, tables: readonly DataRow[][], statistics: readonly Statistics[]): void {
  const { recording } = set;
  recording.files.forEach((start, file) => {
    const until = recording.files[file + 1] ?? recording.episodes.length;
    const members = Array.from({ length: until - start }, (_, k) => start + k);
    const name = `chunk-000/file-${pad(file, 3)}`;
    set.data.push(
      dataFile(
        `data/${name}.parquet`,
        members.flatMap((e) => tables[e]),
      ),
    );
    recording.cameras.forEach((camera, c) => {
      const clips = members.map((e) => ({ episode: e, shots: [...recording.episodes[e].shots[c]] }));
      set.videos.push({ path: `videos/${camera}/${name}.mp4`, camera, clips });
    });
    let before = 0;
    for (const e of members) {
      addV3Columns(set, e, file, before, statistics[e]);
      before += recording.episodes[e].rows;
    }
  });
  set.stats = pooled(statistics);
}

/** Columns of the table of episodes, in the library's order. */
function addV3Columns(set: WrittenSet, e: number, file: number, before: number, stats: Statistics): void {
  const row = set.episodes[e];
  const { recording } = set;
  const from = recording.episodes.slice(0, e).reduce((sum, { rows }) => sum + rows, 0);
  row['data/chunk_index'] = 0;
  row['data/file_index'] = file;
  row.dataset_from_index = from;
  row.dataset_to_index = from + row.length;
  for (const camera of recording.cameras) {
    row[`videos/${camera}/chunk_index`] = 0;
    row[`videos/${camera}/file_index`] = file;
    row[`videos/${camera}/from_timestamp`] = before / recording.fps;
    row[`videos/${camera}/to_timestamp`] = (before + row.length) / recording.fps;
  }
  for (const [key, entry] of Object.entries(stats)) {
    for (const [name, value] of Object.entries(entry)) row[`stats/${key}/${name}`] = value;
  }
  row['meta/episodes/chunk_index'] = 0;
  row['meta/episodes/file_index'] = 0;
}

function dataFile(path: string, rows: DataRow[]): DataFile {
  const columns = {
    'observation.state': 'FLOAT[]',
    action: 'FLOAT[]',
    timestamp: 'FLOAT',
    frame_index: 'BIGINT',
    episode_index: 'BIGINT',
    index: 'BIGINT',
    task_index: 'BIGINT',
  } as const;
  return { path, columns, rows, footer: {} };
}

function tableOf(
  recording: Recording,
  episode: RecordedEpisode,
  index: number,
  texts: readonly string[],
): DataRow[] {
  const first = recording.episodes.slice(0, index).reduce((sum, { rows }) => sum + rows, 0);
  const width = episode.state.length / episode.rows;
  const vector = (values: Float32Array, row: number) =>
    Array.from(
      values.subarray((row * values.length) / episode.rows, ((row + 1) * values.length) / episode.rows),
    );
  if (!Number.isInteger(width)) throw new Error(`episode ${index}: ${width} values a row`);
  return Array.from({ length: episode.rows }, (_, row) => ({
    values: {
      'observation.state': vector(episode.state, row),
      action: vector(episode.action, row),
      timestamp: row / recording.fps,
      frame_index: row,
      episode_index: index,
      index: first + row,
      task_index: texts.indexOf(episode.task),
    },
    truth: {
      episode: index,
      row,
      codes: episode.shots.map((shots) => codeOf(shots[row])),
      task: episode.task,
    },
  }));
}

const kinds: Readonly<Record<string, Kind>> = {
  'observation.state': 'float32',
  action: 'float32',
  timestamp: 'float64',
};

/** Entries of one episode in the library's order: as features are declared. */
export function statisticsOf(
  recording: Recording,
  episode: RecordedEpisode,
  rows: readonly DataRow[],
  version: Version,
  studio: Studio,
): Statistics {
  const entryOf = version === 'v2.1' ? entryV2 : entryV3;
  const statistics: Statistics = {};
  for (const key of Object.keys(rows[0].values)) {
    statistics[key] = entryOf(columnsOf(rows, key), kinds[key] ?? 'integer');
    if (key !== 'action') continue;
    recording.cameras.forEach((camera, c) => {
      statistics[camera] = pictureEntry(episode.shots[c], version, studio);
    });
  }
  return statistics;
}

/** Values of a column of the data, one list a dimension. */
export function columnsOf(rows: readonly DataRow[], key: string): Float64Array[] {
  const first = rows[0].values[key];
  const dims = Array.isArray(first) ? first.length : 1;
  return Array.from({ length: dims }, (_, dim) =>
    Float64Array.from(rows, ({ values }) => {
      const value = values[key];
      return Array.isArray(value) ? value[dim] : Number(value);
    }),
  );
}

const entries = new WeakMap<Studio, Map<string, Entry>>();

/** Drawn, not decoded, as the library looks at pictures before it encodes them. */
function pictureEntry(shots: readonly Shot[], version: Version, studio: Studio): Entry {
  const known = entries.get(studio) ?? new Map<string, Entry>();
  entries.set(studio, known);
  const key = `${version} ${shots.map(shotKey).join()}`;
  const entry = known.get(key) ?? cameraEntry(bytesOf(shots, studio), shots.length, version);
  known.set(key, entry);
  return entry;
}

function infoOf(recording: Recording, tasks: number, version: Version): Info {
  const { episodes, cameras, fps, names } = recording;
  const vector = (): Feature => ({ dtype: 'float32', shape: [names.length], names: [...names] });
  const scalar = (dtype: string): Feature => ({ dtype, shape: [1], names: null });
  const shared = {
    robot_type: 'so101_follower',
    total_episodes: episodes.length,
    total_frames: episodes.reduce((sum, { rows }) => sum + rows, 0),
    total_tasks: tasks,
    chunks_size: 1000,
    fps,
    splits: { train: `0:${episodes.length}` },
    features: {
      'observation.state': vector(),
      action: vector(),
      ...Object.fromEntries(cameras.map((camera) => [camera, cameraFeature(fps)])),
      timestamp: scalar('float32'),
      frame_index: scalar('int64'),
      episode_index: scalar('int64'),
      index: scalar('int64'),
      task_index: scalar('int64'),
    },
  };
  if (version === 'v2.1') {
    return {
      codebase_version: 'v2.1',
      ...shared,
      total_videos: episodes.length * cameras.length,
      total_chunks: 1,
      data_path: 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet',
      video_path: 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4',
    };
  }
  return {
    codebase_version: 'v3.0',
    ...shared,
    data_files_size_in_mb: 100,
    video_files_size_in_mb: 200,
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4',
  };
}

function cameraFeature(fps: number): Feature {
  const { height, width } = pictureSize;
  return {
    dtype: 'video',
    shape: [height, width, 3],
    names: ['height', 'width', 'channels'],
    info: {
      'video.height': height,
      'video.width': width,
      'video.codec': 'h264',
      'video.pix_fmt': 'yuv420p',
      'video.is_depth_map': false,
      'video.fps': fps,
      'video.channels': 3,
      has_audio: false,
    },
  };
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
