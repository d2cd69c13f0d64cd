import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonLines } from '../../../shared/fix/json-lines.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import { parquetColumns, parquetKeyValues } from '../../../shared/parquet/footer.ts';
import { queryRows } from '../parquet/query.ts';

export interface Task {
  readonly index: number;
  readonly text: string;
}

/** The table of tasks: what it says, and what it will say. */
export interface TaskTable {
  readonly path: string;
  tasks: readonly Task[];
  /** v3: the texts are the pandas index, as the library needs them. */
  readonly indexed: boolean;
}

/** Null where there is no table that can be read. What is odd about its JSON is put into `oddities`, by path. */
export async function readTasks(
  root: string,
  layout: 'v2' | 'v3',
  oddities: Map<string, readonly string[]>,
): Promise<TaskTable | null> {
  return layout === 'v2' ? readLines(root, oddities) : readTable(root).catch(() => null);
}

export function tasksPath(layout: 'v2' | 'v3'): string {
  return layout === 'v2' ? 'meta/tasks.jsonl' : 'meta/tasks.parquet';
}

async function readLines(root: string, oddities: Map<string, readonly string[]>): Promise<TaskTable | null> {
  const path = tasksPath('v2');
  const bytes = await readFile(join(root, path)).catch(() => null);
  if (bytes === null) return null;
  const tasks = readJsonLines(bytes, path, oddities).flatMap(({ members }): Task[] => {
    const { task_index, task } = members;
    return typeof task_index === 'number' && typeof task === 'string'
      ? [{ index: task_index, text: task }]
      : [];
  });
  return { path, tasks, indexed: true };
}

async function readTable(root: string): Promise<TaskTable | null> {
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
    indexed: Array.isArray(index) && index.includes(column),
  };
}
