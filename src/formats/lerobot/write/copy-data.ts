import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#core';
import { sqlName, sqlText } from '../../shared/parquet/duck.ts';
import type { EditedFeature } from '../../shared/write/edits/export-edit.ts';
import { buildColumnsQuery } from './columns.ts';
import { addLanguageColumns, requireRowOrder } from './language/language-columns.ts';
import type { LanguageTable } from './language/language-table.ts';
import { allRows, type CopiedEpisode, type LeRobotLayout } from './layouts/layout.ts';

/** Maximum rows per row group, which the engine holds in memory. */
const maxGroup_rows = 20_000;

/** A data file of the new set with its episodes, in order. */
export interface DataFile {
  readonly file: number;
  /** Absolute path. */
  readonly path: string;
  readonly episodes: readonly CopiedEpisode[];
}

/** Result of copying the data rows. */
export interface CopiedData {
  readonly files: readonly DataFile[];
  /** Task texts; the position of a text is its new task_index. */
  readonly texts: readonly string[];
  /** Columns beside `task_index` that hold indexes of tasks. */
  readonly taskColumns: readonly string[];
}

interface CopyDataOptions {
  readonly folder: string;
  readonly layout: LeRobotLayout;
  readonly episodes: readonly CopiedEpisode[];
  /** Task texts by task_index, per source. */
  readonly texts: readonly ReadonlyMap<number, string>[];
  /** New feature names by source name, per source. */
  readonly names: readonly Readonly<Record<string, string>>[];
  readonly features: readonly EditedFeature[];
  /** Features that the source declares. */
  readonly declared: ReadonlySet<string>;
  readonly rate_hz: number;
  /** New rate if rows are resampled; null if they are copied. */
  readonly resampled_hz: number | null;
  /** Footer metadata for the `datasets` library; empty for none. */
  readonly footer: string;
  /** Language rows from annotations by episode; null if there are none. */
  readonly language: LanguageTable | null;
  readonly signal: AbortSignal;
  /** Called with the number of episodes written since the last call. */
  readonly onEpisodes: (episodes: number) => void;
}

/**
 * Writes the rows of the copied episodes to data files and returns these with the task texts; numbering columns are
 * renumbered, all others unchanged apart from edits. Row groups have at most 20,000 rows.
 */
export async function copyData(connection: DuckDBConnection, options: CopyDataOptions): Promise<CopiedData> {
  const { episodes } = options;
  const files = await planDataFiles(options);
  await fillTable(
    connection,
    'kept (set BIGINT, source BIGINT, index BIGINT, from_row BIGINT, first BIGINT, rows BIGINT)',
    episodes.map((one) => [
      ...[one.source, one.source_index, one.index, one.from_row],
      ...(one.isWhole ? [0, allRows] : [one.first, one.until - one.first]),
    ]),
  );
  const { texts, columns } = await joinTasks(connection, options);
  for (const group of groupBySourceFile(files)) {
    options.signal.throwIfAborted();
    await copyFiles(connection, group, { ...options, taskColumns: columns });
  }
  const keys = new Map(options.features.map(({ source, key }) => [source, key]));
  const written = new Set(columns.flatMap((own) => [...own].map((name) => keys.get(name) ?? name)));
  return { files, texts, taskColumns: [...written] };
}

interface CopyRowsOptions extends CopyDataOptions {
  /** Columns other than `task_index` with task indexes, by new name, per source. */
  readonly taskColumns: readonly ReadonlySet<string>[];
}

/** Collects the tasks of copied rows by text, in source order, and fills `task_map` with their new indexes. */
async function joinTasks(
  connection: DuckDBConnection,
  options: CopyDataOptions,
): Promise<{ readonly texts: readonly string[]; readonly columns: readonly ReadonlySet<string>[] }> {
  const texts: string[] = [];
  const map: number[][] = [];
  const columns: ReadonlySet<string>[] = [];
  for (const [set, own] of options.texts.entries()) {
    const used = await findUsedTasks(connection, { ...options, set, texts: own });
    for (const task of used.tasks) {
      const text = own.get(task) ?? '';
      if (!texts.includes(text)) texts.push(text);
      map.push([set, task, texts.indexOf(text)]);
    }
    columns.push(new Set(used.columns.map((name) => options.names[set][name] ?? name)));
  }
  await fillTable(connection, 'task_map (set BIGINT, source BIGINT, index BIGINT)', map);
  return { texts, columns };
}

/** Groups small files with rows of the same source file, so that it is read once for all of them. */
function groupBySourceFile(files: readonly DataFile[]): DataFile[][] {
  const groups: DataFile[][] = [];
  let [source, rows] = ['', 0];
  for (const file of files) {
    const own = file.episodes.reduce((sum, episode) => sum + episode.rows, 0);
    const [{ data }] = file.episodes;
    const one = file.episodes.every((episode) => episode.data === data);
    if (one && data === source && rows + own <= maxGroup_rows) {
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
  const rows = await buildRowsQuery(
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

/** Writes one data file. */
async function copyFile(
  connection: DuckDBConnection,
  { path, episodes }: DataFile,
  rows: string,
  { signal, footer, language, onEpisodes }: CopyDataOptions,
): Promise<void> {
  signal.throwIfAborted();
  await mkdir(dirname(path), { recursive: true });
  const range = [episodes[0].index, episodes[episodes.length - 1].index] as const;
  const all = language === null ? rows : await addLanguageColumns(connection, rows, range);
  const group = language === null ? maxGroup_rows : language.groupRows(maxGroup_rows);
  const written = await connection.runAndReadAll(
    `COPY (${all}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${group}${footer})`,
  );
  requireRowCount(Number(written.getRows()[0][0]), episodes, path);
  if (language !== null) await requireRowOrder(connection, path);
  onEpisodes(episodes.length);
}

/** Builds the query for the rows of some episodes of one source. */
async function buildRowsQuery(
  connection: DuckDBConnection,
  episodes: readonly CopiedEpisode[],
  options: CopyRowsOptions,
): Promise<string> {
  const [{ source }] = episodes;
  const isPicked = options.resampled_hz !== null;
  if (isPicked) await fillPicked(connection, episodes);
  const from = `(SELECT * ${renameClause(options.names[source])} FROM ${readFiles(episodes)})`;
  const { rows, columns } = await buildColumnsQuery(connection, {
    ...options,
    from,
    uniform: options.names.length > 1,
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

/** Fills the table of source rows for resampled episodes. */
async function fillPicked(connection: DuckDBConnection, episodes: readonly CopiedEpisode[]): Promise<void> {
  await fillTable(
    connection,
    'picked (index BIGINT, row BIGINT, place BIGINT)',
    episodes.flatMap(({ index, sourceRows }) =>
      Array.from(sourceRows ?? [], (row, place) => [index, row, place]),
    ),
  );
}

/** Returns the RENAME clause; empty if no feature is renamed. */
function renameClause(names: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(names).map(([own, name]) => `${sqlName(own)} AS ${sqlName(name)}`);
  return pairs.length === 0 ? '' : `RENAME (${pairs.join(', ')})`;
}

/** Throws `unreadable_input` if another number of rows was written than expected. */
function requireRowCount(written: number, episodes: readonly CopiedEpisode[], path: string): void {
  const rows = episodes.reduce((sum, episode) => sum + episode.rows, 0);
  if (written === rows) return;
  throw new AssayError('unreadable_input', `${path} has ${written} rows, but its episodes have ${rows}`, {
    path,
    advice: 'the source changed during the export or contains duplicate rows; run assay assess again',
  });
}

/** Assigns the episodes to data files, by the source's bytes per row; a file has rows of one source. */
async function planDataFiles({ folder, layout, episodes }: CopyDataOptions): Promise<DataFile[]> {
  let bytes = 0;
  for (const path of new Set(episodes.map(({ data }) => data))) bytes += (await stat(path)).size;
  const rows = Math.max(
    1,
    episodes.reduce((sum, episode) => sum + episode.rows, 0),
  );
  const files: (DataFile & { readonly episodes: CopiedEpisode[] })[] = [];
  for (const [place, file] of layout.assignFiles(episodes, bytes / rows).entries()) {
    if (files.at(-1)?.file !== file)
      files.push({ file, path: join(folder, layout.dataPath(file)), episodes: [] });
    files.at(-1)?.episodes.push(episodes[place]);
  }
  return files;
}

/** Creates a temporary table of integers and fills it. */
async function fillTable(connection: DuckDBConnection, table: string, rows: readonly (readonly number[])[]) {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table}`);
  const appender = await connection.createAppender(table.slice(0, table.indexOf(' ')));
  for (const row of rows) {
    for (const value of row) appender.appendBigInt(BigInt(value));
    appender.endRow();
  }
  appender.closeSync();
}

/** Maximum source files per query. */
const filesPerQuery = 256;

interface UsedTasksOptions {
  readonly set: number;
  /** Episodes of all sources. */
  readonly episodes: readonly CopiedEpisode[];
  /** Task texts of the source by task_index. */
  readonly texts: ReadonlyMap<number, string>;
  readonly signal: AbortSignal;
}

/**
 * Finds the task indexes that copied rows of a source use, and the columns other than `task_index` that refer to
 * tasks, as GR00T's `annotation.*` do: integers that are all tasks of the table.
 */
async function findUsedTasks(
  connection: DuckDBConnection,
  { set, texts, signal, episodes: all }: UsedTasksOptions,
): Promise<{ readonly tasks: readonly number[]; readonly columns: readonly string[] }> {
  const found = new Map<string, Set<number | null>>();
  const episodes = all.filter(({ source }) => source === set);
  for (let first = 0; first < episodes.length; first += filesPerQuery) {
    signal.throwIfAborted();
    const rows = readFiles(episodes.slice(first, first + filesPerQuery));
    for (const column of await listTaskColumns(connection, rows)) {
      const values = found.get(column) ?? new Set();
      found.set(column, values);
      const read = await connection.runAndReadAll(
        `SELECT DISTINCT d.${sqlName(column)} FROM ${rows} AS d JOIN kept AS k ON d.episode_index = k.source AND k.set = ${set}`,
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

/** Lists `task_index` and the integer columns `annotation.*`. */
async function listTaskColumns(connection: DuckDBConnection, rows: string): Promise<string[]> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`);
  return read
    .getRows()
    .filter(
      ([name, type]) =>
        name === 'task_index' || (String(name).startsWith('annotation.') && String(type).endsWith('INT')),
    )
    .map(([name]) => String(name));
}

/** Returns a table expression over the files of the episodes, limited to their index range. */
function readFiles(episodes: readonly CopiedEpisode[]): string {
  const list = [...new Set(episodes.map(({ data }) => data))].map(sqlText).join(', ');
  const least = episodes.reduce((min, one) => Math.min(min, one.source_index), Number.POSITIVE_INFINITY);
  const most = episodes.reduce((max, one) => Math.max(max, one.source_index), 0);
  return `(SELECT * FROM read_parquet([${list}], union_by_name = true) WHERE episode_index BETWEEN ${least} AND ${most})`;
}
