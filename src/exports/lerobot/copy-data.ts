import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#kernel';
import type { EditedFeature } from '../edits/export-edit.ts';
import { columnsOf, everyRow } from './columns.ts';
import type { KeptEpisode } from './kept-episode.ts';
import type { LeRobotLayout } from './layout.ts';
import { quoted } from './sql.ts';

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
}

interface CopyDataOptions {
  readonly folder: string;
  readonly layout: LeRobotLayout;
  readonly episodes: readonly KeptEpisode[];
  /** Text by task_index of the source. */
  readonly texts: ReadonlyMap<number, string>;
  readonly features: readonly EditedFeature[];
  /** Names that the source declares. */
  readonly declared: ReadonlySet<string>;
  readonly rate_hz: number;
  /** What `datasets` has to know of the columns; empty: nothing. */
  readonly footer: string;
  readonly signal: AbortSignal;
  /** Hears of how many more episodes the rows are written. */
  readonly onEpisodes: (episodes: number) => void;
}

/**
 * Writes the rows of the kept episodes with every column as the source has it, but for the three that count: row,
 * episode and task are numbered anew. Row groups stay as small as the source's.
 */
export async function copyData(connection: DuckDBConnection, options: CopyDataOptions): Promise<CopiedData> {
  const { episodes } = options;
  const files = await shareOut(options);
  await fill(
    connection,
    'kept (source BIGINT, index BIGINT, from_row BIGINT, first BIGINT, rows BIGINT)',
    episodes.map((one) => [
      ...[one.source_index, one.index, one.from_row],
      ...(one.whole ? [0, everyRow] : [one.first, one.rows]),
    ]),
  );
  const used = await usedTasks(connection, options);
  await fill(
    connection,
    'task_map (source BIGINT, index BIGINT)',
    used.map((task, index) => [task, index]),
  );
  for (const group of together(files)) {
    options.signal.throwIfAborted();
    await copyFiles(connection, group, options);
  }
  return { files, texts: used.map((task) => options.texts.get(task) ?? '') };
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

async function copyFiles(connection: DuckDBConnection, files: readonly DataFile[], options: CopyDataOptions) {
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
  { signal, footer, onEpisodes }: CopyDataOptions,
): Promise<void> {
  signal.throwIfAborted();
  await mkdir(dirname(path), { recursive: true });
  const written = await connection.runAndReadAll(
    `COPY (${rows}) TO ${quoted(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${group_rows}${footer})`,
  );
  checkRows(Number(written.getRows()[0][0]), episodes, path);
  onEpisodes(episodes.length);
}

/** The rows of episodes as they are written. */
async function rowsOf(
  connection: DuckDBConnection,
  episodes: readonly KeptEpisode[],
  options: CopyDataOptions,
): Promise<string> {
  const { rows, columns } = await columnsOf(connection, { ...options, from: readOf(episodes) });
  return `SELECT ${columns}
    FROM ${rows} AS d JOIN kept AS k ON d.episode_index = k.source LEFT JOIN task_map AS t ON d.task_index = t.source
    WHERE k.index BETWEEN ${episodes[0].index} AND ${episodes.at(-1)?.index}
    AND d."assay row" BETWEEN k.first AND k.first + k.rows - 1 ORDER BY "index"`;
}

/** The rows of the files that the episodes lie in, and of few others. */
function readOf(episodes: readonly KeptEpisode[], columns = '*'): string {
  const list = [...new Set(episodes.map(({ data }) => data))].map(quoted).join(', ');
  const least = episodes.reduce((min, one) => Math.min(min, one.source_index), Number.POSITIVE_INFINITY);
  const most = episodes.reduce((max, one) => Math.max(max, one.source_index), 0);
  const by = columns === '*' ? ', union_by_name = true' : '';
  return `(SELECT ${columns} FROM read_parquet([${list}]${by}) WHERE episode_index BETWEEN ${least} AND ${most})`;
}

function checkRows(written: number, episodes: readonly KeptEpisode[], path: string): void {
  const rows = episodes.reduce((sum, episode) => sum + episode.rows, 0);
  if (written === rows) return;
  throw new AssayError('unreadable_input', `${path} has ${written} rows where its episodes have ${rows}`, {
    path,
    advice: 'the source changed while it was read, or holds rows twice: assess it again',
  });
}

/** Which episodes go into which file, by the bytes that a row takes in the source. */
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

/** Tasks that rows of kept episodes have, by their index in the source. */
async function usedTasks(
  connection: DuckDBConnection,
  { episodes, texts, signal }: CopyDataOptions,
): Promise<number[]> {
  const used = new Set<number>();
  for (let first = 0; first < episodes.length; first += files_at_once) {
    signal.throwIfAborted();
    const read = await connection.runAndReadAll(
      `SELECT DISTINCT d.task_index
       FROM ${readOf(episodes.slice(first, first + files_at_once), 'episode_index, task_index')} AS d
       JOIN kept AS k ON d.episode_index = k.source`,
    );
    for (const [task] of read.getRows()) if (texts.has(Number(task))) used.add(Number(task));
  }
  return [...used].sort((a, b) => a - b);
}
