import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** A tiny LeRobot set; each part can be spoiled by wrapping its query or its JSON. */
export interface SetShape {
  readonly layout?: 'v2' | 'v3';
  readonly episodes?: number;
  readonly rows?: number;
  /** Keys of video cameras; their files hold no video. */
  readonly cameras?: readonly string[];
  /** Wraps the query of the data rows, called `rows`, of one file. */
  readonly data?: (rows: string, file: number) => string;
  /** Data files the episodes are shared out to (v3). */
  readonly files?: number;
  readonly table?: (table: string) => string;
  readonly tasks?: (tasks: string) => string;
  readonly pandas?: boolean;
  readonly info?: (info: Record<string, unknown>) => unknown;
  /** Files written last, over what is there; null deletes nothing and writes nothing. */
  readonly extra?: Readonly<Record<string, string | Uint8Array>>;
  readonly rowGroup?: number;
}

const fps = 10;

/** Writes the set into a folder that is there. */
export async function writeSetInto(folder: string, shape: SetShape = {}): Promise<void> {
  const layout = shape.layout ?? 'v3';
  const episodes = shape.episodes ?? 3;
  const rows = shape.rows ?? 20;
  const cameras = shape.cameras ?? [];
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const copy = async (query: string, path: string, options = '') => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await connection.run(
      `COPY (${query}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE ${shape.rowGroup ?? 2048}${options})`,
    );
  };
  const put = async (path: string, content: string | Uint8Array) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  const spoil = shape.data ?? ((query: string) => query);
  const all = `SELECT [i * 0.5, e, i]::FLOAT[] AS "observation.state", [i * 0.25, e]::FLOAT[] AS action, (i / ${fps}.0)::FLOAT AS timestamp,
    i::BIGINT AS frame_index, e::BIGINT AS episode_index, (e * ${rows} + i)::BIGINT AS index, (e % 2)::BIGINT AS task_index
    FROM (SELECT k // ${rows} AS e, k % ${rows} AS i FROM range(${episodes * rows}) t(k)) ORDER BY e, i`;
  const files = layout === 'v2' ? episodes : (shape.files ?? 1);
  const perFile = Math.ceil(episodes / files);
  for (let file = 0; file < files; file++) {
    const part = `SELECT * FROM (${all}) WHERE episode_index // ${perFile} = ${file}`;
    const name = layout === 'v2' ? `episode_${pad(file, 6)}` : `file-${pad(file, 3)}`;
    await copy(spoil(part, file), `data/chunk-000/${name}.parquet`);
  }
  const texts = ['pick the cube', 'open the drawer'];
  const table = Array.from({ length: episodes }, (_, episode) => ({
    episode_index: episode,
    tasks: [texts[episode % 2]],
    length: rows,
  }));
  const features: Record<string, unknown> = {
    'observation.state': { dtype: 'float32', shape: [3], names: ['a', 'b', 'c'] },
    action: { dtype: 'float32', shape: [2], names: { motors: ['a', 'b'] } },
    timestamp: { dtype: 'float32', shape: [1], names: null },
  };
  for (const key of ['frame_index', 'episode_index', 'index', 'task_index']) {
    features[key] = { dtype: 'int64', shape: [1], names: null };
  }
  for (const camera of cameras) {
    features[camera] = { dtype: 'video', shape: [4, 6, 3], names: ['height', 'width', 'channels'] };
  }
  if (layout === 'v3') {
    const videoColumns = cameras.map(
      (camera) => `0::BIGINT AS "videos/${camera}/chunk_index", 0::BIGINT AS "videos/${camera}/file_index",
      (e * ${rows} / ${fps}.0)::DOUBLE AS "videos/${camera}/from_timestamp", ((e + 1) * ${rows} / ${fps}.0)::DOUBLE AS "videos/${camera}/to_timestamp"`,
    );
    const columns = [
      'e::BIGINT AS episode_index',
      `[CASE e % 2 WHEN 0 THEN '${texts[0]}' ELSE '${texts[1]}' END] AS tasks`,
      `${rows}::BIGINT AS length`,
      '0::BIGINT AS "data/chunk_index"',
      `(e // ${perFile})::BIGINT AS "data/file_index"`,
      `(e * ${rows})::BIGINT AS dataset_from_index`,
      `((e + 1) * ${rows})::BIGINT AS dataset_to_index`,
      ...videoColumns,
    ];
    const query = `SELECT ${columns.join(', ')} FROM range(${episodes}) t(e) ORDER BY e`;
    await copy((shape.table ?? ((same) => same))(query), 'meta/episodes/chunk-000/file-000.parquet');
    const tasks = `SELECT * FROM (VALUES (0::BIGINT, '${texts[0]}'), (1::BIGINT, '${texts[1]}')) t(task_index, task)`;
    const pandas = JSON.stringify({ index_columns: ['task'], columns: [] });
    const footer = shape.pandas === false ? '' : `, KV_METADATA {pandas: '${pandas}'}`;
    await copy((shape.tasks ?? ((same) => same))(tasks), 'meta/tasks.parquet', footer);
    for (const camera of cameras) await put(`videos/${camera}/chunk-000/file-000.mp4`, 'no video');
  } else {
    await put('meta/episodes.jsonl', table.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await put(
      'meta/tasks.jsonl',
      texts.map((task, task_index) => `${JSON.stringify({ task_index, task })}\n`).join(''),
    );
    for (const camera of cameras)
      for (let episode = 0; episode < episodes; episode++)
        await put(`videos/chunk-000/${camera}/episode_${pad(episode, 6)}.mp4`, 'no video');
  }
  const info: Record<string, unknown> = {
    codebase_version: layout === 'v2' ? 'v2.1' : 'v3.0',
    robot_type: 'so101_follower',
    total_episodes: episodes,
    total_frames: episodes * rows,
    total_tasks: 2,
    chunks_size: 1000,
    fps,
    splits: { train: `0:${episodes}` },
    data_path:
      layout === 'v2'
        ? 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet'
        : 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path:
      layout === 'v2'
        ? 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4'
        : 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4',
    features,
  };
  await put('meta/info.json', JSON.stringify((shape.info ?? ((same) => same))(info)));
  const statistics = (chosen: readonly number[]) =>
    JSON.stringify(
      Object.fromEntries(Object.keys(features).map((key) => [key, statisticsOf(key, chosen, rows, cameras)])),
    );
  const every = table.map(({ episode_index }) => episode_index);
  await put('meta/stats.json', statistics(every));
  if (layout === 'v2') {
    const line = (episode: number) => `{"episode_index": ${episode}, "stats": ${statistics([episode])}}\n`;
    await put('meta/episodes_stats.jsonl', every.map(line).join(''));
  }
  for (const [path, content] of Object.entries(shape.extra ?? {})) await put(path, content);
  connection.closeSync();
  instance.closeSync();
}

/** Computes the statistics of the rows written by the query above; those of images are only plausible. */
function statisticsOf(
  key: string,
  episodes: readonly number[],
  rows: number,
  cameras: readonly string[],
): Record<string, unknown> {
  const of = (...each: ((e: number, i: number) => number)[]) => each;
  const dimensions: Record<string, ((e: number, i: number) => number)[]> = {
    'observation.state': of(
      (_, i) => i * 0.5,
      (e) => e,
      (_, i) => i,
    ),
    action: of(
      (_, i) => i * 0.25,
      (e) => e,
    ),
    timestamp: of((_, i) => Math.fround(i / fps)),
    frame_index: of((_, i) => i),
    episode_index: of((e) => e),
    index: of((e, i) => e * rows + i),
    task_index: of((e) => e % 2),
  };
  const count = [episodes.length * rows];
  if (cameras.includes(key)) {
    const channels = (value: number) => [[[value]], [[value]], [[value]]];
    return { min: channels(0), max: channels(1), mean: channels(0.5), std: channels(0.25), count };
  }
  const values = dimensions[key].map((at) =>
    episodes.flatMap((e) => Array.from({ length: rows }, (_, i) => at(e, i))),
  );
  const mean = values.map((all) => all.reduce((sum, value) => sum + value, 0) / all.length);
  const std = values.map((all, d) =>
    Math.sqrt(all.reduce((sum, value) => sum + (value - mean[d]) ** 2, 0) / all.length),
  );
  return {
    min: values.map((all) => Math.min(...all)),
    max: values.map((all) => Math.max(...all)),
    mean,
    std,
    count,
    ...Object.fromEntries(
      [1, 10, 50, 90, 99].map((level) => [
        `q${pad(level, 2)}`,
        values.map((all) => quantile(all, level / 100)),
      ]),
    ),
  };
}

function quantile(values: readonly number[], level: number): number {
  return [...values].sort((a, b) => a - b)[Math.round(level * (values.length - 1))];
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
