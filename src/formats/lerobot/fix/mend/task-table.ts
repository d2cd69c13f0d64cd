import type { LeRobotDraft } from '../draft/draft.ts';
import { type Task, tasksPath } from '../draft/read-tasks.ts';
import { changed, few, type Mend, unfixed } from './mend.ts';
import { type TaskUse, usesOf } from './task-uses.ts';

/** The table of tasks has every task that rows name, in the order and form in which the library looks them up. */
export const taskTable: Mend = {
  id: 'task-table',
  title: 'The table of tasks has every task that rows name, in order, its texts as the index',
  answers: [
    'tasks_missing',
    'tasks_unreadable',
    'tasks_out_of_order',
    'tasks_without_index',
    'task_index_unknown',
  ],
  run: (draft) => {
    const uses = usesOf(draft);
    if (draft.tasks === null && !recover(draft, uses)) return;
    dropRepeated(draft);
    addUnknown(draft, uses);
    if (draft.layout === 'v3') putInOrder(draft);
    if (draft.tasks?.indexed === false) {
      draft.tasksChanged = true;
      note(draft, 'tasks_without_index', 'texts', 'a plain column', 'the pandas index');
    }
  },
};

function recover(draft: LeRobotDraft, uses: ReadonlyMap<number, TaskUse>): boolean {
  const used = [...uses].filter(([index]) => index >= 0);
  const unclear = used.filter(([, { texts }]) => texts.size !== 1);
  const path = tasksPath(draft.layout);
  const there = draft.paths.includes(path);
  if (used.length === 0 || unclear.length > 0) {
    unfixed(draft, there ? 'tasks_unreadable' : 'tasks_missing', {
      path,
      message: `nothing says which text task_index ${few(unclear.map(([index]) => index))} has`,
      advice: 'Write the table of tasks by hand: one row a task, task_index from 0.',
    });
    return false;
  }
  const tasks = used.map(([index, { texts }]) => ({ index, text: [...texts][0] }));
  draft.tasks = { path, tasks: tasks.sort((a, b) => a.index - b.index), indexed: true };
  draft.tasksChanged = true;
  const code = there ? 'tasks_unreadable' : 'tasks_missing';
  note(
    draft,
    code,
    'table',
    'no table that can be read',
    `${tasks.length} tasks, from the table of episodes`,
  );
  return true;
}

function dropRepeated(draft: LeRobotDraft): void {
  const table = draft.tasks!;
  const seen = new Map<string, Task>();
  for (const task of table.tasks) seen.set(`${task.index} ${task.text}`, task);
  if (seen.size === table.tasks.length) return;
  note(
    draft,
    'tasks_out_of_order',
    'rows that list a task twice',
    `${table.tasks.length} rows`,
    `${seen.size} rows`,
  );
  table.tasks = [...seen.values()];
  draft.tasksChanged = true;
}

/** What rows name and no row of the table has: the episode's text says which task is meant. */
function addUnknown(draft: LeRobotDraft, uses: ReadonlyMap<number, TaskUse>): void {
  const table = draft.tasks!;
  for (const [index, { texts, spans }] of uses) {
    if (table.tasks.some((task) => task.index === index)) continue;
    if (texts.size !== 1) {
      unfixed(draft, 'task_index_unknown', {
        path: table.path,
        message: `rows name task ${index}, which the table does not have, and ${texts.size === 0 ? 'no episode says its text' : 'their episodes say several texts'}`,
        advice: 'Add the task to the table of tasks.',
      });
      continue;
    }
    const [text] = texts;
    let task = table.tasks.find((known) => known.text === text);
    if (task === undefined) {
      const next = Math.max(-1, ...table.tasks.map((known) => known.index)) + 1;
      task = { index: draft.layout === 'v2' && index >= 0 ? index : next, text };
      table.tasks = [...table.tasks, task];
      draft.tasksChanged = true;
      note(draft, 'task_index_unknown', `task ${task.index}`, 'not listed', text);
    }
    if (task.index === index) continue;
    for (const { file, span } of spans) {
      file.edits.add('task_index');
      file.tasks.set(span.episode, new Map([...(file.tasks.get(span.episode) ?? []), [index, task.index]]));
      changed(draft, taskTable, ['task_index_unknown'], {
        path: file.path,
        episode: span.episode,
        what: 'task_index',
        before: `${index}, which has no text`,
        after: `${task.index} (${text})`,
      });
    }
  }
}

/** v3: row i is task i. Numbers with holes are counted anew, in the rows too. */
function putInOrder(draft: LeRobotDraft): void {
  const table = draft.tasks!;
  const sorted = table.tasks.toSorted((a, b) => a.index - b.index);
  const moved = table.tasks.filter((task, at) => task !== sorted[at]);
  const renumbered = new Map(sorted.flatMap(({ index }, at) => (index === at ? [] : [[index, at] as const])));
  if (new Set(sorted.map(({ index }) => index)).size < sorted.length) {
    unfixed(draft, 'tasks_out_of_order', {
      path: table.path,
      message: 'two tasks have the same task_index and different texts',
      advice: 'Say in the table which text is meant.',
    });
    return;
  }
  table.tasks = sorted.map(({ text }, index) => ({ index, text }));
  if (moved.length > 0) {
    draft.tasksChanged = true;
    note(
      draft,
      'tasks_out_of_order',
      'order of the rows',
      few(moved.map(({ index }) => index)),
      'by task_index',
    );
  }
  if (renumbered.size > 0) renumber(draft, renumbered);
}

function renumber(draft: LeRobotDraft, numbers: ReadonlyMap<number, number>): void {
  draft.tasksChanged = true;
  const said = [...numbers].map(([from, to]) => `${from} becomes ${to}`);
  note(draft, 'tasks_out_of_order', 'task_index', 'numbers with holes', few(said));
  for (const file of draft.files) {
    const own = new Set(file.runs.flatMap(({ tasks }) => [...tasks.keys()]));
    if (![...own].some((index) => numbers.has(index))) continue;
    file.edits.add('task_index');
    for (const { episode } of file.spans) {
      const before = file.tasks.get(episode) ?? new Map<number, number>();
      const after = [...own, ...before.keys()].map((index): [number, number] => {
        const now = before.get(index) ?? index;
        return [index, numbers.get(now) ?? now];
      });
      file.tasks.set(episode, new Map(after));
    }
    changed(draft, taskTable, ['tasks_out_of_order'], {
      path: file.path,
      what: 'task_index',
      before: few([...own]),
      after: few([...own].map((index) => numbers.get(index) ?? index)),
    });
  }
}

function note(
  draft: LeRobotDraft,
  code: Mend['answers'][number],
  what: string,
  before: string,
  after: string,
): void {
  changed(draft, taskTable, [code], { path: tasksPath(draft.layout), what, before, after });
}
