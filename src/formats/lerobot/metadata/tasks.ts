import { messageOf, parseTolerantJsonLines } from '#core';
import type { SourceTree } from '#io/sources';
import { fetchRows } from '../../shared/parquet/chunks.ts';
import { parquetSource } from '../../shared/parquet/duck.ts';
import { parquetColumns, parquetKeyValues } from '../../shared/parquet/footer.ts';
import { createLeRobotViolation } from '../rules/contract.ts';
import type { FindingCollector } from './finding-collector.ts';
import { createJsonRefusedFinding, isObject, reportOddities } from './info.ts';

/** The tasks of a set. */
export interface TaskTable {
  /** `meta/tasks.parquet` or `meta/tasks.jsonl`. */
  readonly source: string;
  /** Task text by task_index. */
  readonly byIndex: ReadonlyMap<number, string>;
  readonly texts: ReadonlySet<string>;
}

/**
 * Reads the task texts by the VALUE of task_index; adds findings on tables that the library would read differently, and
 * returns null, with a finding, if the table is missing or unreadable.
 */
export async function readTasks(
  tree: SourceTree,
  layout: 'v2' | 'v3',
  notes: FindingCollector,
): Promise<TaskTable | null> {
  const order = ['meta/tasks.parquet', 'meta/tasks.jsonl'];
  const source = (layout === 'v3' ? order : order.toReversed()).find((path) => tree.has(path));
  if (source === undefined) {
    notes.addFinding(
      createLeRobotViolation(
        layout,
        'tasks_missing',
        layout === 'v3' ? 'meta/tasks.parquet' : 'meta/tasks.jsonl',
        'the dataset has no task table, so no task_index can be resolved to a task description',
      ),
    );
    return null;
  }
  const byIndex = source.endsWith('.jsonl')
    ? await readTaskLines(tree, source, notes)
    : await readTaskParquet(tree, source, notes).catch((thrown: unknown) => {
        const why = messageOf(thrown);
        notes.addFinding(
          createLeRobotViolation(layout, 'tasks_unreadable', source, `cannot read ${source}: ${why}`),
        );
        return null;
      });
  return byIndex === null ? null : { source, byIndex, texts: new Set(byIndex.values()) };
}

/** Reads the JSON Lines table. */
async function readTaskLines(
  tree: SourceTree,
  path: string,
  notes: FindingCollector,
): Promise<Map<number, string>> {
  const lines = parseTolerantJsonLines(await tree.read(path), path);
  reportOddities(path, lines, notes);
  reportBadLines(path, lines.bad_lines, notes);
  const tasks = new Map<number, string>();
  for (const line of lines.values) {
    if (!isObject(line) || typeof line.task_index !== 'number') continue;
    tasks.set(line.task_index, typeof line.task === 'string' ? line.task : '');
  }
  return tasks;
}

/** Adds one finding on the lines of a JSON Lines file that are not JSON, naming the first; none if `lines` is empty. */
export function reportBadLines(path: string, lines: readonly number[], notes: FindingCollector): void {
  if (lines.length === 0) return;
  notes.addFinding(
    createJsonRefusedFinding(
      path,
      `invalid JSON in ${path}, line ${lines[0]}${lines.length > 1 ? ` and ${lines.length - 1} more` : ''}`,
    ),
  );
}

/** Reads the Parquet table. Throws if the required columns are missing. */
async function readTaskParquet(
  tree: SourceTree,
  path: string,
  notes: FindingCollector,
): Promise<Map<number, string>> {
  const absolute = tree.absolute(path);
  const columns = (await parquetColumns(absolute, path)).map((column) => column.name);
  const text = ['task', '__index_level_0__'].find((name) => columns.includes(name));
  if (text === undefined || !columns.includes('task_index')) {
    throw new Error(`expected the columns task_index and task, found ${columns.join(', ')}`);
  }
  const found = await fetchRows(
    `SELECT task_index::INTEGER AS i, "${text}"::VARCHAR AS t FROM ${parquetSource([absolute])}`,
  );
  await reportMissingIndex(absolute, path, text, notes);
  const tasks = new Map<number, string>();
  const moved: string[] = [];
  found.forEach((row, position) => {
    const index = Number(row.i);
    tasks.set(index, typeof row.t === 'string' ? row.t : '');
    if (index !== position) moved.push(`${index} is in row ${position}`);
  });
  if (moved.length > 0) {
    notes.addFinding(
      createLeRobotViolation(
        'v3',
        'tasks_out_of_order',
        path,
        `task_index ${moved.slice(0, 4).join(', ')}: LeRobot looks tasks up by row number and would return the wrong description for ${moved.length} of ${found.length} tasks`,
      ),
    );
  }
  return tasks;
}

/** Reports a table whose texts are not the pandas index: the library would read the tasks as numbers. */
async function reportMissingIndex(
  absolute: string,
  path: string,
  column: string,
  notes: FindingCollector,
): Promise<void> {
  const pandas = (await parquetKeyValues(absolute, path)).get('pandas');
  const index: unknown = pandas === undefined ? null : JSON.parse(pandas).index_columns;
  if (Array.isArray(index) && index.includes(column)) return;
  notes.addFinding(
    createLeRobotViolation(
      'v3',
      'tasks_without_index',
      path,
      `${path} does not declare a pandas index, so LeRobot reads numbers instead of task descriptions`,
    ),
  );
}
