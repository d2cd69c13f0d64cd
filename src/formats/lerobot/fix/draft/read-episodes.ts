import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonLines } from '../../../shared/fix/json-lines.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import { type ParquetColumn, parquetColumns } from '../../../shared/parquet/footer.ts';
import { queryRows } from '../parquet/query.ts';
import { type DraftEpisode, newEpisode } from './episode.ts';

/** The table of episodes as it is read. */
export interface EpisodeTable {
  episodes: DraftEpisode[];
  /** Files of the table in the order of the library; those that cannot be read are in `damaged`. */
  readonly files: readonly string[];
  readonly damaged: readonly string[];
  readonly columns: readonly ParquetColumn[];
}

export const episodesPathV2 = 'meta/episodes.jsonl';

/**
 * Null where there is no such file. Lines that are not JSON are left out; what is odd about the others is put into
 * `oddities`, by path.
 */
export async function readEpisodesV2(
  root: string,
  oddities: Map<string, readonly string[]>,
): Promise<EpisodeTable | null> {
  const bytes = await readFile(join(root, episodesPathV2)).catch(() => null);
  if (bytes === null) return null;
  const episodes = readJsonLines(bytes, episodesPathV2, oddities).flatMap(({ line, members }) => {
    if (typeof members.episode_index !== 'number') return [];
    const tasks = members.tasks;
    return {
      ...newEpisode(members.episode_index),
      length: typeof members.length === 'number' ? members.length : null,
      tasks: Array.isArray(tasks) ? tasks.map(String) : typeof tasks === 'string' ? [tasks] : null,
      home: episodesPathV2,
      line,
      members,
    };
  });
  return { episodes, files: [episodesPathV2], damaged: [], columns: [] };
}

/** The table of a v3 set from its files, in the order given. */
export async function readEpisodesV3(
  root: string,
  files: readonly string[],
  cameras: readonly string[],
): Promise<EpisodeTable> {
  const damaged: string[] = [];
  const sound: string[] = [];
  const columns = new Map<string, ParquetColumn>();
  const episodes: DraftEpisode[] = [];
  for (const file of files) {
    try {
      const own = await parquetColumns(join(root, file), file);
      if (!own.some(({ name }) => name === 'episode_index')) throw new Error('it has no episode_index');
      episodes.push(...(await readFileV3(root, file, own, cameras)));
      for (const column of own) if (!columns.has(column.name)) columns.set(column.name, column);
      sound.push(file);
    } catch {
      damaged.push(file);
    }
  }
  return { episodes, files: sound, damaged, columns: [...columns.values()] };
}

async function readFileV3(
  root: string,
  file: string,
  columns: readonly ParquetColumn[],
  cameras: readonly string[],
): Promise<DraftEpisode[]> {
  const names = new Set(columns.map(({ name }) => name));
  const number = (name: string) =>
    names.has(name) ? `TRY_CAST(${sqlName(name)} AS DOUBLE)` : 'NULL::DOUBLE';
  const windows = cameras.flatMap((camera, at) =>
    windowNames(camera).map((name, part) => `${number(name)} AS v${at}_${part}`),
  );
  const tasks = names.has('tasks') ? 'to_json(tasks)::VARCHAR' : 'NULL::VARCHAR';
  const found = await queryRows(
    file,
    `SELECT ${number('episode_index')} AS e, ${number('length')} AS l, ${tasks} AS t,
      ${number('dataset_from_index')} AS a, ${number('dataset_to_index')} AS b,
      ${number('data/chunk_index')} AS c, ${number('data/file_index')} AS f
      ${windows.map((window) => `, ${window}`).join('')}
     FROM ${parquetSource([join(root, file)])}`,
  );
  return found.map((row) => ({
    ...newEpisode(Number(row.e ?? -1)),
    length: numberOf(row.l),
    tasks: textsOf(row.t),
    from: numberOf(row.a),
    to: numberOf(row.b),
    chunk: numberOf(row.c),
    file: numberOf(row.f),
    videos: new Map(cameras.flatMap((camera, at) => windowOf(camera, row, at))),
    home: file,
  }));
}

/** Columns that say where a camera's pictures of an episode lie. */
export function windowNames(camera: string): readonly [string, string, string, string] {
  const of = (name: string) => `videos/${camera}/${name}`;
  return [of('chunk_index'), of('file_index'), of('from_timestamp'), of('to_timestamp')];
}

function windowOf(camera: string, row: Readonly<Record<string, unknown>>, at: number) {
  const [chunk, file, from_s, to_s] = [0, 1, 2, 3].map((part) => numberOf(row[`v${at}_${part}`]));
  if (chunk === null || file === null || from_s === null || to_s === null) return [];
  return [[camera, { chunk, file, from_s, to_s }] as const];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textsOf(value: unknown): readonly string[] | null {
  if (typeof value !== 'string') return null;
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(String) : null;
}
