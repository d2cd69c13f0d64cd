import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#core';
import type { EditedFeature } from '../../shared/write/edits/export-edit.ts';
import { columnsOf } from './columns.ts';
import { everyRow, type KeptEpisode } from './kept-episode.ts';
import type { SaidLanguage } from './language/said-language.ts';
import { demandOrder, rowsWithSaid } from './language/with-said.ts';
import type { LeRobotLayout } from './layout.ts';
import { named, quoted } from './sql.ts';

/** Rows that are written together, and so held by the engine, at most. */
const group_rows = 20_000;

/** A data file of the new set, and the episodes whose rows it holds, in order. */
export interface DataFile {
  readonly file: number;
  /** Absolute. */
  readonly path: string;
  readonly episodes: readonly KeptEpisode[];
}

export interface CopiedData {
  readonly files: readonly DataFile[];
  /** Texts of the tasks that are left; the place of a text is its new task_index. */
  readonly texts: readonly string[];
  /** Columns beside `task_index` that hold indexes of tasks. */
  readonly taskColumns: readonly string[];
}

interface CopyDataOptions {
  readonly folder: string;
  readonly layout: LeRobotLayout;
  readonly episodes: readonly KeptEpisode[];
  /** Text by task_index, of each source. */
  readonly texts: readonly ReadonlyMap<number, string>[];
  /** Names that features get, by their own, of each source. */
  readonly names: readonly Readonly<Record<string, string>>[];
  readonly features: readonly EditedFeature[];
  /** Names that the source declares. */
  readonly declared: ReadonlySet<string>;
  readonly rate_hz: number;
  /** Rows a second of the new set, where its rows are picked from the source's; null: they are the source's. */
  readonly resampled_hz: number | null;
  /** What `datasets` has to know of the columns; empty: nothing. */
  readonly footer: string;
  /** What layers say of the episodes, by their places; null: nothing. */
  readonly said: SaidLanguage | null;
  readonly signal: AbortSignal;
  /** Hears of how many more episodes the rows are written. */
  readonly onEpisodes: (episodes: number) => void;
}

/**
 * Writes the rows of the kept episodes with every column as the source has it, but for the three that count: row,
 * episode and task are renumbered. Row groups stay as small as the source's.
 */
export async function copyData(connection: DuckDBConnection, options: CopyDataOptions): Promise<CopiedData> {
  const { episodes } = options;
  const files = await shareOut(options);
  await fill(
    connection,
    'kept (set BIGINT, source BIGINT, index BIGINT, from_row BIGINT, first BIGINT, rows BIGINT)',
    episodes.map((one) => [
      ...[one.source, one.source_index, one.index, one.from_row],
      ...(one.whole ? [0, everyRow] : [one.first, one.until - one.first]),
    ]),
  );
  const { texts, columns } = await joinTasks(connection, options);
  for (const group of together(files)) {
    options.signal.throwIfAborted();
    await copyFiles(connection, group, { ...options, taskColumns: columns });
  }
  const keys = new Map(options.features.map(({ source, key }) => [source, key]));
  const written = new Set(columns.flatMap((own) => [...own].map((name) => keys.get(name) ?? name)));
  return { files, texts, taskColumns: [...written] };
}

interface CopyRowsOptions extends CopyDataOptions {
  /** Columns beside `task_index` that hold indexes of tasks, by the names they get, of each source. */
  readonly taskColumns: readonly ReadonlySet<string>[];
}

/** Tasks of kept rows by text, the first set's first; `task_map` has the new index of each. */
async function joinTasks(
  connection: DuckDBConnection,
  options: CopyDataOptions,
): Promise<{ readonly texts: readonly string[]; readonly columns: readonly ReadonlySet<string>[] }> {
  const texts: string[] = [];
  const map: number[][] = [];
  const columns: ReadonlySet<string>[] = [];
  for (const [set, own] of options.texts.entries()) {
    const used = await usedTasks(connection, { ...options, set, texts: own });
    for (const task of used.tasks) {
      const text = own.get(task) ?? '';
      if (!texts.includes(text)) texts.push(text);
      map.push([set, task, texts.indexOf(text)]);
    }
    columns.push(new Set(used.columns.map((name) => options.names[set][name] ?? name)));
  }
  await fill(connection, 'task_map (set BIGINT, source BIGINT, index BIGINT)', map);
  return { texts, columns };
}

/** Small files whose rows lie in one file of the source, so that it is read once for all of them. */
function together(files: readonly DataFile[]): DataFile[][] {
  const groups: DataFile[][] = [];
  let [source, rows] = ['', 0];
  for (const file of files) {
    const own = file.episodes.reduce((sum, episode) => sum + episode.rows, 0);
    const [{ data }] = file.episodes;
    const one = file.episodes.every((episode) => episode.data === data);
    if (one && data === source && rows + own <= group_rows) {
      groups.at(-1)?.push(file);
      rows += own;
    } else {
      groups.push([file]);
      [source, rows] = [one ? data : '', own];
    }
  }
  return groups;
}

async function copyFiles(connection: DuckDBConnection, files: readonly DataFile[], options: CopyRowsOptions) {
  const rows = await rowsOf(
    connection,
    files.flatMap(({ episodes }) => episodes),
    options,
  );
  if (files.length === 1) return copyFile(connection, files[0], rows, options);
  await connection.run(`CREATE OR REPLACE TEMP TABLE together AS ${rows}`);
  for (const file of files) {
    const [from, until] = [file.episodes[0].index, file.episodes.at(-1)?.index];
    const own = `SELECT * FROM together WHERE episode_index BETWEEN ${from} AND ${until} ORDER BY "index"`;
    await copyFile(connection, file, own, options);
  }
  await connection.run('DROP TABLE together');
}

async function copyFile(
  connection: DuckDBConnection,
  { path, episodes }: DataFile,
  rows: string,
  { signal, footer, said, onEpisodes }: CopyDataOptions,
): Promise<void> {
  signal.throwIfAborted();
  await mkdir(dirname(path), { recursive: true });
  const range = [episodes[0].index, episodes[episodes.length - 1].index] as const;
  const all = said === null ? rows : await rowsWithSaid(connection, rows, range);
  const group = said === null ? group_rows : said.groupRows(group_rows);
  const written = await connection.runAndReadAll(
    `COPY (${all}) TO ${quoted(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${group}${footer})`,
  );
  checkRows(Number(written.getRows()[0][0]), episodes, path);
  if (said !== null) await demandOrder(connection, path);
  onEpisodes(episodes.length);
}

/** The rows of episodes as they are written. */
async function rowsOf(
  connection: DuckDBConnection,
  episodes: readonly KeptEpisode[],
  options: CopyRowsOptions,
): Promise<string> {
  const [{ source }] = episodes;
  const isPicked = options.resampled_hz !== null;
  if (isPicked) await fillPicked(connection, episodes);
  const from = `(SELECT * ${renamed(options.names[source])} FROM ${readOf(episodes)})`;
  const { rows, columns } = await columnsOf(connection, {
    ...options,
    from,
    alike: options.names.length > 1,
    set: source,
    taskColumns: options.taskColumns[source],
  });
  return `SELECT ${columns}
    FROM ${rows} AS d JOIN kept AS k ON d.episode_index = k.source AND k.set = ${source}
    LEFT JOIN task_map AS t ON d.task_index = t.source AND t.set = ${source}
    ${isPicked ? 'JOIN picked AS p ON p.index = k.index AND p.row = d."assay row"' : ''}
    WHERE k.index BETWEEN ${episodes[0].index} AND ${episodes.at(-1)?.index}
    AND d."assay row" BETWEEN k.first AND k.first + k.rows - 1 ORDER BY "index"`;
}

/** Which row of the source each row of these episodes takes. */
async function fillPicked(connection: DuckDBConnection, episodes: readonly KeptEpisode[]): Promise<void> {
  await fill(
    connection,
    'picked (index BIGINT, row BIGINT, place BIGINT)',
    episodes.flatMap(({ index, picked }) => Array.from(picked ?? [], (row, place) => [index, row, place])),
  );
}

function renamed(names: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(names).map(([own, name]) => `${named(own)} AS ${named(name)}`);
  return pairs.length === 0 ? '' : `RENAME (${pairs.join(', ')})`;
}

function checkRows(written: number, episodes: readonly KeptEpisode[], path: string): void {
  const rows = episodes.reduce((sum, episode) => sum + episode.rows, 0);
  if (written === rows) return;
  throw new AssayError('unreadable_input', `${path} has ${written} rows where its episodes have ${rows}`, {
    path,
    advice: 'the source changed while it was read, or holds rows twice: assess it again',
  });
}

/** Which episodes go into which file, by the bytes that a row takes in the source; a file has rows of one set. */
async function shareOut({ folder, layout, episodes }: CopyDataOptions): Promise<DataFile[]> {
  let bytes = 0;
  for (const path of new Set(episodes.map(({ data }) => data))) bytes += (await stat(path)).size;
  const rows = Math.max(
    1,
    episodes.reduce((sum, episode) => sum + episode.rows, 0),
  );
  const files: (DataFile & { readonly episodes: KeptEpisode[] })[] = [];
  for (const [place, file] of layout.shareOut(episodes, bytes / rows).entries()) {
    if (files.at(-1)?.file !== file)
      files.push({ file, path: join(folder, layout.dataPath(file)), episodes: [] });
    files.at(-1)?.episodes.push(episodes[place]);
  }
  return files;
}

async function fill(connection: DuckDBConnection, table: string, rows: readonly (readonly number[])[]) {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table}`);
  const appender = await connection.createAppender(table.slice(0, table.indexOf(' ')));
  for (const row of rows) {
    for (const value of row) appender.appendBigInt(BigInt(value));
    appender.endRow();
  }
  appender.closeSync();
}

/** Source files that are looked at together. */
const files_at_once = 256;

interface UsedTasksOptions {
  readonly set: number;
  /** Of all sets. */
  readonly episodes: readonly KeptEpisode[];
  /** Text by task_index, of the set. */
  readonly texts: ReadonlyMap<number, string>;
  readonly signal: AbortSignal;
}

/**
 * Tasks that rows of kept episodes of a set have, by their index there; and the columns beside `task_index` that index
 * the table of tasks as GR00T's `annotation.*` do: integers, each of them a task of the table.
 */
async function usedTasks(
  connection: DuckDBConnection,
  { set, texts, signal, episodes: all }: UsedTasksOptions,
): Promise<{ readonly tasks: readonly number[]; readonly columns: readonly string[] }> {
  const found = new Map<string, Set<number | null>>();
  const episodes = all.filter(({ source }) => source === set);
  for (let first = 0; first < episodes.length; first += files_at_once) {
    signal.throwIfAborted();
    const rows = readOf(episodes.slice(first, first + files_at_once));
    for (const column of await taskColumns(connection, rows)) {
      const values = found.get(column) ?? new Set();
      found.set(column, values);
      const read = await connection.runAndReadAll(
        `SELECT DISTINCT d.${named(column)} FROM ${rows} AS d JOIN kept AS k ON d.episode_index = k.source AND k.set = ${set}`,
      );
      for (const [value] of read.getRows()) values.add(value === null ? null : Number(value));
    }
  }
  const isTask = (value: number | null): value is number => value !== null && texts.has(value);
  const columns = [...found.keys()].filter(
    (name) => name !== 'task_index' && [...(found.get(name) ?? [])].every(isTask),
  );
  const used = ['task_index', ...columns].flatMap((name) => [...(found.get(name) ?? [])].filter(isTask));
  return { tasks: [...new Set(used)].sort((a, b) => a - b), columns };
}

/** `task_index`, and the integers that GR00T calls annotations. */
async function taskColumns(connection: DuckDBConnection, rows: string): Promise<string[]> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`);
  return read
    .getRows()
    .filter(
      ([name, type]) =>
        name === 'task_index' || (String(name).startsWith('annotation.') && String(type).endsWith('INT')),
    )
    .map(([name]) => String(name));
}

/** The rows of the files that episodes of one set lie in, and of few others, as SQL has a table. */
function readOf(episodes: readonly KeptEpisode[]): string {
  const list = [...new Set(episodes.map(({ data }) => data))].map(quoted).join(', ');
  const least = episodes.reduce((min, one) => Math.min(min, one.source_index), Number.POSITIVE_INFINITY);
  const most = episodes.reduce((max, one) => Math.max(max, one.source_index), 0);
  return `(SELECT * FROM read_parquet([${list}], union_by_name = true) WHERE episode_index BETWEEN ${least} AND ${most})`;
}
