import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#kernel';
import { quoted } from '../sql.ts';
import type { KeptEpisode } from './kept-episode.ts';
import { chunkAndFile, dataFile_bytes } from './place-files.ts';

/** Rows that are written together, and so held by the engine, at most. */
const group_rows = 20_000;

export interface CopiedData {
  /** Data file of each kept episode, in their order. */
  readonly files: readonly number[];
  /** By kept episode: the new task_index of its rows, each with how many rows have it. */
  readonly tasks: readonly (readonly TaskRows[])[];
  /** Texts of the tasks that are left; the place of a text is its new task_index. */
  readonly texts: readonly string[];
}

export type TaskRows = readonly [task: number, rows: number];

interface CopyDataOptions {
  readonly folder: string;
  readonly sources: readonly string[];
  readonly episodes: readonly KeptEpisode[];
  /** Text by task_index of the source. */
  readonly texts: ReadonlyMap<number, string>;
  readonly signal: AbortSignal;
}

/**
 * Writes the rows of the kept episodes with every column as the source has it, but for the three that count: row,
 * episode and task are numbered anew. Row groups stay as small as the source's.
 */
export async function copyData(connection: DuckDBConnection, options: CopyDataOptions): Promise<CopiedData> {
  const { folder, sources, episodes, texts } = options;
  const files = await shareOut(sources, episodes);
  await connection.run(
    'CREATE OR REPLACE TEMP TABLE kept (source BIGINT, index BIGINT, from_row BIGINT, file BIGINT)',
  );
  await insert(
    connection,
    'kept',
    episodes.map((one, place) => [one.source_index, one.index, one.from_row, files[place]]),
  );
  const list = `[${sources.map(quoted).join(', ')}]`;
  const used = await usedTasks(connection, list, texts);
  await connection.run('CREATE OR REPLACE TEMP TABLE task_map (source BIGINT, index BIGINT)');
  await insert(
    connection,
    'task_map',
    used.map((task, index) => [task, index]),
  );
  const kept = `FROM read_parquet(${list}, union_by_name = true) AS d JOIN kept AS k ON d.episode_index = k.source
    LEFT JOIN task_map AS t ON d.task_index = t.source`;
  const features = await featuresOf(connection, sources[0]);
  const counted = await hasColumn(connection, sources[0], 'frame_index');
  const row = counted
    ? 'd.frame_index'
    : `row_number() OVER (PARTITION BY d.episode_index ORDER BY d."index") - 1`;
  const missing = counted ? '' : `, ${row} AS frame_index`;
  for (const file of new Set(files)) {
    options.signal.throwIfAborted();
    const path = join(folder, `data/${chunkAndFile(file)}.parquet`);
    await mkdir(dirname(path), { recursive: true });
    const own = episodes.filter((_, place) => files[place] === file);
    const written = await connection.runAndReadAll(
      `COPY (SELECT d.* REPLACE (k.index AS episode_index, k.from_row + ${row} AS "index", ${newTask} AS task_index)${missing}
       ${kept} WHERE k.file = ${file} AND d.episode_index BETWEEN ${least(own)} AND ${most(own)} ORDER BY "index")
       TO ${quoted(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${group_rows}${features})`,
    );
    checkRows(Number(written.getRows()[0][0]), own, path);
  }
  const tasks = await tasksOf(connection, kept, episodes.length);
  return { files, tasks, texts: used.map((task) => texts.get(task) ?? '') };
}

const newTask = `coalesce(t.index, error('a row has the task_index ' || d.task_index || ', which the table of tasks lacks')::BIGINT)`;

const least = (episodes: readonly KeptEpisode[]) =>
  episodes.reduce((min, { source_index }) => Math.min(min, source_index), Number.POSITIVE_INFINITY);
const most = (episodes: readonly KeptEpisode[]) =>
  episodes.reduce((max, { source_index }) => Math.max(max, source_index), 0);

function checkRows(written: number, episodes: readonly KeptEpisode[], path: string): void {
  const rows = episodes.reduce((sum, episode) => sum + episode.rows, 0);
  if (written === rows) return;
  throw new AssayError('unreadable_input', `${path} has ${written} rows where its episodes have ${rows}`, {
    path,
    advice: 'the source changed while it was read, or holds rows twice: assess it again',
  });
}

/** Fills files up to their size by the bytes that a row takes in the source. */
async function shareOut(sources: readonly string[], episodes: readonly KeptEpisode[]): Promise<number[]> {
  let bytes = 0;
  for (const path of sources) bytes += (await stat(path)).size;
  const rows = Math.max(
    1,
    episodes.reduce((sum, episode) => sum + episode.rows, 0),
  );
  const row_bytes = bytes / rows;
  let file = 0;
  let held = 0;
  return episodes.map((episode) => {
    const own = episode.rows * row_bytes;
    if (held > 0 && held + own > dataFile_bytes) {
      file += 1;
      held = 0;
    }
    held += own;
    return file;
  });
}

async function insert(connection: DuckDBConnection, table: string, rows: readonly (readonly number[])[]) {
  const appender = await connection.createAppender(table);
  for (const row of rows) {
    for (const value of row) appender.appendBigInt(BigInt(value));
    appender.endRow();
  }
  appender.closeSync();
}

/** Tasks that rows of kept episodes have, by their index in the source. */
async function usedTasks(connection: DuckDBConnection, list: string, texts: ReadonlyMap<number, string>) {
  const read = await connection.runAndReadAll(
    `SELECT DISTINCT d.task_index FROM read_parquet(${list}, union_by_name = true) AS d
     JOIN kept AS k ON d.episode_index = k.source ORDER BY 1`,
  );
  return read
    .getRows()
    .map(([task]) => Number(task))
    .filter((task) => texts.has(task));
}

/** GR00T's sets leave frame_index out. */
async function hasColumn(connection: DuckDBConnection, path: string, column: string): Promise<boolean> {
  const read = await connection.runAndReadAll(
    `SELECT count(*) FROM parquet_schema(${quoted(path)}) WHERE name = ${quoted(column)}`,
  );
  return Number(read.getRows()[0][0]) > 0;
}

/** What `datasets` wrote of the features, which tells pictures from structs; nothing where it wrote nothing. */
async function featuresOf(connection: DuckDBConnection, path: string): Promise<string> {
  const read = await connection.runAndReadAll(
    `SELECT decode(value) FROM parquet_kv_metadata(${quoted(path)}) WHERE decode(key) = 'huggingface'`,
  );
  const [row] = read.getRows();
  return row === undefined ? '' : `, KV_METADATA {huggingface: ${quoted(String(row[0]))}}`;
}

async function tasksOf(
  connection: DuckDBConnection,
  kept: string,
  episodes: number,
): Promise<CopiedData['tasks']> {
  const read = await connection.runAndReadAll(
    `SELECT k.index, t.index, count(*) ${kept} GROUP BY ALL ORDER BY min(d."index")`,
  );
  const all: TaskRows[][] = Array.from({ length: episodes }, () => []);
  for (const [episode, task, rows] of read.getRows()) all[Number(episode)].push([Number(task), Number(rows)]);
  return all;
}
