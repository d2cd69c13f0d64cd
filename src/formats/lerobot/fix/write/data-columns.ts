import { parquetSource } from '../../../shared/parquet/duck.ts';
import type { DataFile, RowSpan } from '../draft/data-file.ts';
import { queryChunks } from '../parquet/query.ts';
import { type NewColumn, rewriteColumns } from '../parquet/rewrite-columns.ts';

/** Writes a data file again with the columns that are to change; every other column is copied as it lies there. */
export async function writeData(file: DataFile, rate_hz: number, target: string): Promise<void> {
  const columns = new Map<string, NewColumn>();
  for (const name of file.edits) columns.set(name, await newColumn(file, name, rate_hz));
  await rewriteColumns(file.absolute, target, file.path, columns, file.dropped);
}

/** Values of a numbering column, or of the time stamps, as they will be. */
export async function newColumn(file: DataFile, name: string, rate_hz: number): Promise<NewColumn> {
  const span = spanAt(file);
  if (name === 'episode_index') return (row) => span(row).episode;
  if (name === 'frame_index') return (row) => row - span(row).start;
  if (name === 'index') return (row) => file.firstIndex + row;
  if (name === 'timestamp') {
    const stamps = await readStamps(file);
    return (row) => {
      const { episode, start } = span(row);
      return file.stamped.has(episode) ? (row - start) / rate_hz : stamps[row];
    };
  }
  const tasks = await tasksOf(file);
  return (row) => {
    const task = tasks[row];
    return file.tasks.get(span(row).episode)?.get(task) ?? task;
  };
}

/** The span of a row; rows are mostly asked for one after the other. */
function spanAt({ spans }: DataFile): (row: number) => RowSpan {
  let at = 0;
  return (row) => {
    if (row < spans[at].start) at = 0;
    while (row >= spans[at].start + spans[at].rows) at++;
    return spans[at];
  };
}

async function tasksOf({ path, absolute, rows }: DataFile): Promise<Int32Array> {
  const tasks = new Int32Array(rows);
  let at = 0;
  for await (const chunk of queryChunks(
    path,
    `SELECT coalesce(TRY_CAST(task_index AS INTEGER), -1) FROM ${parquetSource([absolute])}`,
  )) {
    tasks.set(chunk.integers(0).values, at);
    at += chunk.rows;
  }
  return tasks;
}

/** Time stamps as they are; NaN where there is none. */
export async function readStamps({ path, absolute, rows, columns }: DataFile): Promise<Float64Array> {
  const stamps = new Float64Array(rows).fill(Number.NaN);
  if (!columns.some(({ name }) => name === 'timestamp')) return stamps;
  let at = 0;
  const sql = `SELECT coalesce(TRY_CAST("timestamp" AS DOUBLE), 'nan'::DOUBLE) FROM ${parquetSource([absolute])}`;
  for await (const chunk of queryChunks(path, sql)) {
    stamps.set(chunk.numbers(0).values, at);
    at += chunk.rows;
  }
  return stamps;
}
