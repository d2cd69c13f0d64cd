import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { BenchOptions } from '../bench.ts';
import { cameraSet } from './camera-set.ts';

const episodesOfOne = 200;
const camera = 'observation.images.front';
const tables = 'meta/episodes/chunk-000/file-000.parquet';

/**
 * The folder of a LeRobot v3 set with one camera and thousands of episodes, generated once: 200 recorded episodes again and
 * again, each time with other numbers, so that no two are alike. Videos are shared, so that it takes little room.
 */
export async function repeatedSet(options: BenchOptions, times: number): Promise<string> {
  const folder = join(options.scratch, `repeated-${episodesOfOne * times}`);
  if (existsSync(folder)) return folder;
  const source = await cameraSet(options, episodesOfOne);
  const part = `${folder}.partial`;
  for (const below of ['meta/episodes/chunk-000', 'data/chunk-000', `videos/${camera}/chunk-000`])
    mkdirSync(join(part, below), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const info = JSON.parse(readFileSync(join(source, 'meta/info.json'), 'utf8'));
  const rows: number = info.total_frames;
  for (let time = 0; time < times; time++) await addOnce(connection, source, part, { time, rows });
  const [data, videos] = ['data', `videos/${camera}`].map((below) => filesIn(join(source, below)).length);
  await connection.run(
    `COPY (SELECT e.* REPLACE (${moved('episode_index', episodesOfOne)}, ${moved('dataset_from_index', rows)},
       ${moved('dataset_to_index', rows)}, ${moved('data/file_index', data)},
       ${moved(`videos/${camera}/file_index`, videos)})
     FROM '${join(source, tables)}' e, range(${times}) t(k) ORDER BY k, e.episode_index)
     TO '${join(part, tables)}' (FORMAT parquet)`,
  );
  connection.closeSync();
  for (const name of ['meta/tasks.parquet', 'meta/stats.json'])
    copyFileSync(join(source, name), join(part, name));
  const episodes = episodesOfOne * times;
  const all = {
    ...info,
    total_episodes: episodes,
    total_frames: rows * times,
    splits: { train: `0:${episodes}` },
  };
  writeFileSync(join(part, 'meta/info.json'), JSON.stringify(all, null, 4));
  renameSync(part, folder);
  return folder;
}

const filesIn = (folder: string): string[] => readdirSync(join(folder, 'chunk-000')).sort();
const moved = (column: string, by: number): string => `("${column}" + k * ${by})::BIGINT AS "${column}"`;

/** Each joint of each episode gets a scale and an offset of its own. */
function others(column: string, time: number): string {
  const random = (seed: number) => `(hash(episode_index * ${seed} + i + ${time} * 100003) % 1000) / 1000.0`;
  return `list_transform("${column}", lambda x, i: (x * (0.9 + 0.2 * ${random(16)}) + 0.1 * ${random(17)})::FLOAT)::FLOAT[] AS "${column}"`;
}

async function addOnce(
  connection: DuckDBConnection,
  source: string,
  part: string,
  { time, rows }: { readonly time: number; readonly rows: number },
): Promise<void> {
  const data = filesIn(join(source, 'data'));
  const target = (below: string, at: number, of: number, ending: string) =>
    join(part, below, `chunk-000/file-${String(time * of + at).padStart(3, '0')}.${ending}`);
  for (const [at, name] of data.entries())
    await connection.run(
      `COPY (SELECT * REPLACE (${others('observation.state', time)}, ${others('action', time)},
         (episode_index + ${time * episodesOfOne})::BIGINT AS episode_index, (index + ${time * rows})::BIGINT AS index)
       FROM '${join(source, 'data/chunk-000', name)}')
       TO '${target('data', at, data.length, 'parquet')}' (FORMAT parquet)`,
    );
  const videos = filesIn(join(source, `videos/${camera}`));
  for (const [at, name] of videos.entries())
    linkSync(
      join(source, `videos/${camera}/chunk-000`, name),
      target(`videos/${camera}`, at, videos.length, 'mp4'),
    );
}
