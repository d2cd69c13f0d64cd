import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '#core';
import { readJsonLines } from '../../shared/fix/json-files.ts';
import { parquetSource, sqlName } from '../../shared/parquet/duck.ts';
import { type ParquetColumn, parquetColumns, parquetKeyValues } from '../../shared/parquet/footer.ts';
import { queryRows } from './parquet/query.ts';

/** The episodes table as read. */
export interface EpisodeTable {
  episodes: DraftEpisode[];
  /** Readable files of the table in the library's order; unreadable ones are in `damaged`. */
  readonly files: readonly string[];
  readonly damaged: readonly string[];
  readonly columns: readonly ParquetColumn[];
}

/** Path of the v2 episodes table. */
export const episodesPathV2 = 'meta/episodes.jsonl';

/**
 * Reads the v2 episodes table without lines that are invalid; null if the file is missing. Non-standard JSON is added
 * to `oddities` by path.
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
      ...createEpisode(members.episode_index),
      length: typeof members.length === 'number' ? members.length : null,
      tasks: Array.isArray(tasks) ? tasks.map(String) : typeof tasks === 'string' ? [tasks] : null,
      tableFile: episodesPathV2,
      line,
      members,
    };
  });
  return { episodes, files: [episodesPathV2], damaged: [], columns: [] };
}

/**
 * Reads the v3 episodes table from its files, in the given order; files that cannot be read are listed in `damaged`.
 */
export async function readEpisodesV3(
  root: string,
  files: readonly string[],
  cameras: readonly string[],
): Promise<EpisodeTable> {
  const damaged: string[] = [];
  const readable: string[] = [];
  const columns = new Map<string, ParquetColumn>();
  const episodes: DraftEpisode[] = [];
  for (const file of files) {
    try {
      const own = await parquetColumns(join(root, file), file);
      if (!own.some(({ name }) => name === 'episode_index'))
        throw new Error('it has no column episode_index');
      episodes.push(...(await readFileV3(root, file, own, cameras)));
      for (const column of own) if (!columns.has(column.name)) columns.set(column.name, column);
      readable.push(file);
    } catch {
      damaged.push(file);
    }
  }
  return { episodes, files: readable, damaged, columns: [...columns.values()] };
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
    windowColumns(camera).map((name, part) => `${number(name)} AS v${at}_${part}`),
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
    ...createEpisode(Number(row.e ?? -1)),
    length: numberOrNull(row.l),
    tasks: parseTexts(row.t),
    from: numberOrNull(row.a),
    to: numberOrNull(row.b),
    chunk: numberOrNull(row.c),
    file: numberOrNull(row.f),
    videos: new Map(cameras.flatMap((camera, at) => parseWindow(camera, row, at))),
    tableFile: file,
  }));
}

/** Returns the column names of a camera's video window: chunk, file, start and end time. */
export function windowColumns(camera: string): readonly [string, string, string, string] {
  const of = (name: string) => `videos/${camera}/${name}`;
  return [of('chunk_index'), of('file_index'), of('from_timestamp'), of('to_timestamp')];
}

/** Parses a camera's window of a query row; empty if a value is missing. */
function parseWindow(camera: string, row: Readonly<Record<string, unknown>>, at: number) {
  const [chunk, file, from_s, to_s] = [0, 1, 2, 3].map((part) => numberOrNull(row[`v${at}_${part}`]));
  if (chunk === null || file === null || from_s === null || to_s === null) return [];
  return [[camera, { chunk, file, from_s, to_s }] as const];
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function parseTexts(value: unknown): readonly string[] | null {
  if (typeof value !== 'string') return null;
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(String) : null;
}

/** Location of an episode's frames in a camera's video files (v3). */
interface VideoWindow {
  chunk: number;
  file: number;
  from_s: number;
  to_s: number;
}

/** A row of the episodes table with the planned changes; fields are null if the table has no value. */
export interface DraftEpisode {
  readonly index: number;
  length: number | null;
  tasks: readonly string[] | null;
  from: number | null;
  to: number | null;
  chunk: number | null;
  file: number | null;
  readonly videos: Map<string, VideoWindow>;
  /** File of the episodes table with this row; null for a new row. */
  readonly tableFile: string | null;
  /** Original line (v2). */
  readonly line: string | null;
  /** Parsed members of the line (v2). */
  readonly members: Readonly<Record<string, JsonValue>>;
}

/** Returns a new row of the episodes table with only its index set. */
export function createEpisode(index: number): DraftEpisode {
  return {
    index,
    length: null,
    tasks: null,
    from: null,
    to: null,
    chunk: null,
    file: null,
    videos: new Map(),
    tableFile: null,
    line: null,
    members: {},
  };
}

/** A task with its task_index. */
export interface Task {
  readonly index: number;
  readonly text: string;
}

/** The tasks table with the planned changes. */
export interface TaskTable {
  readonly path: string;
  tasks: readonly Task[];
  /** True if the texts are the pandas index, as the library requires in v3. */
  readonly hasTextIndex: boolean;
}

/** Reads the tasks table, null if it is missing or unreadable; non-standard JSON is added to `oddities` by path. */
export async function readTasks(
  root: string,
  layout: 'v2' | 'v3',
  oddities: Map<string, readonly string[]>,
): Promise<TaskTable | null> {
  return layout === 'v2' ? readTaskLines(root, oddities) : readTaskTable(root).catch(() => null);
}

/** Returns the path of the tasks table in a layout, whether or not it exists. */
export function tasksPath(layout: 'v2' | 'v3'): string {
  return layout === 'v2' ? 'meta/tasks.jsonl' : 'meta/tasks.parquet';
}

async function readTaskLines(
  root: string,
  oddities: Map<string, readonly string[]>,
): Promise<TaskTable | null> {
  const path = tasksPath('v2');
  const bytes = await readFile(join(root, path)).catch(() => null);
  if (bytes === null) return null;
  const tasks = readJsonLines(bytes, path, oddities).flatMap(({ members }): Task[] => {
    const { task_index, task } = members;
    return typeof task_index === 'number' && typeof task === 'string'
      ? [{ index: task_index, text: task }]
      : [];
  });
  return { path, tasks, hasTextIndex: true };
}

async function readTaskTable(root: string): Promise<TaskTable | null> {
  const path = tasksPath('v3');
  const absolute = join(root, path);
  const columns = (await parquetColumns(absolute, path)).map(({ name }) => name);
  const column = ['task', '__index_level_0__'].find((name) => columns.includes(name));
  if (column === undefined || !columns.includes('task_index')) return null;
  const found = await queryRows(
    path,
    `SELECT task_index::DOUBLE AS i, "${column}"::VARCHAR AS t FROM ${parquetSource([absolute])}`,
  );
  const pandas = (await parquetKeyValues(absolute, path)).get('pandas');
  const index: unknown = pandas === undefined ? null : JSON.parse(pandas).index_columns;
  return {
    path,
    tasks: found.map(({ i, t }) => ({ index: Number(i), text: String(t ?? '') })),
    hasTextIndex: Array.isArray(index) && index.includes(column),
  };
}
