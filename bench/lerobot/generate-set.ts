import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

const joints = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll', 'gripper'];

/**
 * A LeRobot v3.0 set without video: `episodes` of 300 rows (or as many as told), state and action float32[6], 30 fps. Motion is a sum of
 * sines whose phases differ between episodes, plus noise, so that nothing is frozen and no two episodes are alike. Every data
 * file is read as a unit at least: few episodes in each give a small set that is worked on in several steps.
 */
export async function generateNumericSet(
  folder: string,
  episodes: number,
  rowsPerEpisode = 300,
  episodesPerFile = 2500,
): Promise<void> {
  const size = { episodes, rowsPerEpisode, episodesPerFile };
  mkdirSync(join(folder, 'meta/episodes/chunk-000'), { recursive: true });
  mkdirSync(join(folder, 'data/chunk-000'), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run('SELECT setseed(0.25)');
  for (let first = 0, file = 0; first < episodes; first += episodesPerFile, file++) {
    const last = Math.min(episodes, first + episodesPerFile);
    await connection.run(
      copyRows(size, first, last, join(folder, `data/chunk-000/file-${pad(file)}.parquet`)),
    );
  }
  await connection.run(copyEpisodes(size, join(folder, 'meta/episodes/chunk-000/file-000.parquet')));
  await connection.run(copyTasks(join(folder, 'meta/tasks.parquet')));
  writeFileSync(join(folder, 'meta/info.json'), JSON.stringify(info(size), null, 2));
  writeFileSync(join(folder, 'meta/stats.json'), JSON.stringify(await statsOf(connection, folder), null, 2));
  connection.closeSync();
}

const pad = (value: number): string => String(value).padStart(3, '0');

interface SetSize {
  readonly episodes: number;
  readonly rowsPerEpisode: number;
  readonly episodesPerFile: number;
}

/** Joint `j` of episode `e` at second `t`; `lag_s` shifts the follower behind its leader. */
const joint = ({ rowsPerEpisode }: SetSize, j: number, lag_s: number): string => {
  const t = `((i % ${rowsPerEpisode}) / 30.0 - ${lag_s})`;
  const phase = `((hash(i // ${rowsPerEpisode} * 8 + ${j}) % 628)::DOUBLE / 100.0)`;
  return `(40 * sin(0.7 * ${t} + ${phase}) + 12 * sin(${1.3 + 0.2 * j} * ${t} + 2 * ${phase}) + 0.05 * random())`;
};

function copyRows(size: SetSize, first: number, last: number, path: string): string {
  const { rowsPerEpisode } = size;
  const vector = (lag_s: number) => `[${joints.map((_, j) => joint(size, j, lag_s)).join(', ')}]::FLOAT[]`;
  return `COPY (SELECT ${vector(0.04)} AS "observation.state", ${vector(0)} AS action,
    ((i % ${rowsPerEpisode}) / 30.0)::FLOAT AS timestamp, (i % ${rowsPerEpisode})::BIGINT AS frame_index,
    (i // ${rowsPerEpisode})::BIGINT AS episode_index, i::BIGINT AS index, (i // ${rowsPerEpisode} % 2)::BIGINT AS task_index
    FROM range(${first * rowsPerEpisode}, ${last * rowsPerEpisode}) t(i))
    TO '${path}' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 100000)`;
}

function copyEpisodes({ episodes, rowsPerEpisode, episodesPerFile }: SetSize, path: string): string {
  return `COPY (SELECT e::BIGINT AS episode_index, [CASE e % 2 WHEN 0 THEN 'pick up the red block'
      ELSE 'open the drawer' END] AS tasks, ${rowsPerEpisode}::BIGINT AS length,
    0::BIGINT AS "data/chunk_index", (e // ${episodesPerFile})::BIGINT AS "data/file_index",
    (e * ${rowsPerEpisode})::BIGINT AS dataset_from_index, ((e + 1) * ${rowsPerEpisode})::BIGINT AS dataset_to_index,
    0::BIGINT AS "meta/episodes/chunk_index", 0::BIGINT AS "meta/episodes/file_index"
    FROM range(${episodes}) t(e)) TO '${path}' (FORMAT parquet)`;
}

function copyTasks(path: string): string {
  const column = (name: string, type: string, numpy: string) => ({
    name,
    field_name: name,
    pandas_type: type,
    numpy_type: numpy,
    metadata: null,
  });
  const pandas = JSON.stringify({
    index_columns: ['task'],
    column_indexes: [],
    columns: [column('task_index', 'int64', 'int64'), column('task', 'unicode', 'object')],
    creator: { library: 'pyarrow', version: '21.0.0' },
    pandas_version: '2.3.0',
  });
  return `COPY (SELECT * FROM (VALUES (0::BIGINT, 'pick up the red block'), (1::BIGINT, 'open the drawer'))
    t(task_index, task)) TO '${path}' (FORMAT parquet, KV_METADATA {pandas: '${pandas}'})`;
}

function info({ episodes, rowsPerEpisode }: SetSize): object {
  const scalar = (dtype: string) => ({ dtype, shape: [1], names: null });
  const vector = { dtype: 'float32', shape: [joints.length], names: joints.map((name) => `${name}.pos`) };
  return {
    codebase_version: 'v3.0',
    robot_type: 'so101_follower',
    total_episodes: episodes,
    total_frames: episodes * rowsPerEpisode,
    total_tasks: 2,
    chunks_size: 1000,
    data_files_size_in_mb: 100,
    video_files_size_in_mb: 200,
    fps: 30,
    splits: { train: `0:${episodes}` },
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: null,
    features: {
      'observation.state': vector,
      action: vector,
      timestamp: scalar('float32'),
      frame_index: scalar('int64'),
      episode_index: scalar('int64'),
      index: scalar('int64'),
      task_index: scalar('int64'),
    },
  };
}

/** Computes the dataset statistics of the rows in LeRobot's format. */
async function statsOf(connection: DuckDBConnection, folder: string): Promise<object> {
  const entries: [string, object][] = [];
  for (const feature of ['observation.state', 'action']) {
    const column = (j: number) => `"${feature}"[${j + 1}]::DOUBLE`;
    const all = (call: (value: string) => string) => `[${joints.map((_, j) => call(column(j))).join(', ')}]`;
    const quantile = (q: number) => all((value) => `quantile_cont(${value}, ${q})`);
    const answer = await connection.runAndReadAll(
      `SELECT to_json({min: ${all((v) => `min(${v})`)}, max: ${all((v) => `max(${v})`)},
        mean: ${all((v) => `avg(${v})`)}, std: ${all((v) => `stddev_pop(${v})`)}, count: [count(*)],
        q01: ${quantile(0.01)}, q10: ${quantile(0.1)}, q50: ${quantile(0.5)}, q90: ${quantile(0.9)},
        q99: ${quantile(0.99)}})::VARCHAR FROM '${join(folder, 'data/chunk-000/*.parquet')}'`,
    );
    entries.push([feature, JSON.parse(String(answer.getRows()[0][0]))]);
  }
  return Object.fromEntries(entries);
}
