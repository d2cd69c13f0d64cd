import { type DataFile, hasColumn, type RowSpan } from '../data-file.ts';
import type { LeRobotDraft } from '../draft.ts';
import { type Task, tasksPath } from '../tables.ts';
import {
  type EpisodeLocation,
  formatList,
  type LeRobotFix,
  locateEpisodes,
  recordChange,
  recordUnfixed,
} from './fix.ts';

/** Fix: completes and sorts the tasks table so that the library finds every task of the rows. */
export const taskTable: LeRobotFix = {
  id: 'task-table',
  title:
    'List every task that rows use in the task table, in order, with the task descriptions as pandas index',
  answers: [
    'tasks_missing',
    'tasks_unreadable',
    'tasks_out_of_order',
    'tasks_without_index',
    'task_index_unknown',
  ],
  run: (draft) => {
    const uses = collectTaskUses(draft);
    if (draft.tasks === null && !recoverTable(draft, uses)) return;
    dropRepeatedTasks(draft);
    addUnknownTasks(draft, uses);
    if (draft.layout === 'v3') sortTasks(draft);
    if (draft.tasks?.hasTextIndex === false) {
      draft.tasksChanged = true;
      recordTableChange(draft, 'tasks_without_index', 'texts', 'a plain column', 'the pandas index');
    }
  },
};

/**
 * Rebuilds a missing tasks table from the episodes table. Returns false, and reports it as unfixed, if a text is
 * ambiguous.
 */
function recoverTable(draft: LeRobotDraft, uses: ReadonlyMap<number, TaskUse>): boolean {
  const used = [...uses].filter(([index]) => index >= 0);
  const unclear = used.filter(([, { texts }]) => texts.size !== 1);
  const path = tasksPath(draft.layout);
  const there = draft.paths.includes(path);
  if (used.length === 0 || unclear.length > 0) {
    recordUnfixed(draft, there ? 'tasks_unreadable' : 'tasks_missing', {
      path,
      message: `the task description of task_index ${formatList(unclear.map(([index]) => index))} is unknown`,
      advice: 'Create the task table by hand: one row per task, task_index starting at 0.',
    });
    return false;
  }
  const tasks = used.map(([index, { texts }]) => ({ index, text: [...texts][0] }));
  draft.tasks = { path, tasks: tasks.sort((a, b) => a.index - b.index), hasTextIndex: true };
  draft.tasksChanged = true;
  const code = there ? 'tasks_unreadable' : 'tasks_missing';
  recordTableChange(
    draft,
    code,
    'table',
    'no readable table',
    `${tasks.length} tasks, taken from the episode table`,
  );
  return true;
}

/** Removes repeated rows of the tasks table. */
function dropRepeatedTasks(draft: LeRobotDraft): void {
  const table = draft.tasks!;
  const seen = new Map<string, Task>();
  for (const task of table.tasks) seen.set(`${task.index} ${task.text}`, task);
  if (seen.size === table.tasks.length) return;
  recordTableChange(
    draft,
    'tasks_out_of_order',
    'duplicate tasks',
    `${table.tasks.length} rows`,
    `${seen.size} rows`,
  );
  table.tasks = [...seen.values()];
  draft.tasksChanged = true;
}

/**
 * Adds tasks that rows use and the table lacks, with the text of the episodes; reports ambiguous ones as unfixed.
 */
function addUnknownTasks(draft: LeRobotDraft, uses: ReadonlyMap<number, TaskUse>): void {
  const table = draft.tasks!;
  for (const [index, { texts, spans }] of uses) {
    if (table.tasks.some((task) => task.index === index)) continue;
    if (texts.size !== 1) {
      recordUnfixed(draft, 'task_index_unknown', {
        path: table.path,
        message: `rows use task_index ${index}, which is not in the task table, and ${texts.size === 0 ? 'no episode gives its description' : 'their episodes give different descriptions'}`,
        advice: 'Add the task to the task table.',
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
      recordTableChange(draft, 'task_index_unknown', `task ${task.index}`, 'not listed', text);
    }
    if (task.index === index) continue;
    for (const { file, span } of spans) {
      file.editedColumns.add('task_index');
      file.taskRemaps.set(
        span.episode,
        new Map([...(file.taskRemaps.get(span.episode) ?? []), [index, task.index]]),
      );
      recordChange(draft, taskTable, ['task_index_unknown'], {
        path: file.path,
        episode: span.episode,
        what: 'task_index',
        before: `${index}, which has no description`,
        after: `${task.index} (${text})`,
      });
    }
  }
}

/** Sorts the table so that row i is task i, and renumbers tasks with gaps, also in the data rows (v3). */
function sortTasks(draft: LeRobotDraft): void {
  const table = draft.tasks!;
  const sorted = table.tasks.toSorted((a, b) => a.index - b.index);
  const moved = table.tasks.filter((task, at) => task !== sorted[at]);
  const renumbered = new Map(sorted.flatMap(({ index }, at) => (index === at ? [] : [[index, at] as const])));
  if (new Set(sorted.map(({ index }) => index)).size < sorted.length) {
    recordUnfixed(draft, 'tasks_out_of_order', {
      path: table.path,
      message: 'two tasks have the same task_index, but different descriptions',
      advice: 'Keep only the correct description in the task table.',
    });
    return;
  }
  table.tasks = sorted.map(({ text }, index) => ({ index, text }));
  if (moved.length > 0) {
    draft.tasksChanged = true;
    recordTableChange(
      draft,
      'tasks_out_of_order',
      'row order',
      formatList(moved.map(({ index }) => index)),
      'sorted by task_index',
    );
  }
  if (renumbered.size > 0) renumberTasks(draft, renumbered);
}

/** Applies new task numbers to the data files. */
function renumberTasks(draft: LeRobotDraft, numbers: ReadonlyMap<number, number>): void {
  draft.tasksChanged = true;
  const entries = [...numbers].map(([from, to]) => `${from} → ${to}`);
  recordTableChange(draft, 'tasks_out_of_order', 'task_index', 'numbering with gaps', formatList(entries));
  for (const file of draft.files) {
    const own = new Set(file.runs.flatMap(({ tasks }) => [...tasks.keys()]));
    if (![...own].some((index) => numbers.has(index))) continue;
    file.editedColumns.add('task_index');
    for (const { episode } of file.spans) {
      const before = file.taskRemaps.get(episode) ?? new Map<number, number>();
      const after = [...own, ...before.keys()].map((index): [number, number] => {
        const now = before.get(index) ?? index;
        return [index, numbers.get(now) ?? now];
      });
      file.taskRemaps.set(episode, new Map(after));
    }
    recordChange(draft, taskTable, ['tasks_out_of_order'], {
      path: file.path,
      what: 'task_index',
      before: formatList([...own]),
      after: formatList([...own].map((index) => numbers.get(index) ?? index)),
    });
  }
}

function recordTableChange(
  draft: LeRobotDraft,
  code: LeRobotFix['answers'][number],
  what: string,
  before: string,
  after: string,
): void {
  recordChange(draft, taskTable, [code], { path: tasksPath(draft.layout), what, before, after });
}

/** Uses of a task: the spans of rows that name it, and its texts in the episodes table. */
interface TaskUse {
  /** Texts of episodes that use only this task. */
  readonly texts: ReadonlySet<string>;
  readonly spans: readonly { readonly file: DataFile; readonly span: RowSpan }[];
}

/** Collects the uses of each task_index in the rows. */
function collectTaskUses(draft: LeRobotDraft): Map<number, TaskUse> {
  const entries = new Map(draft.episodes.map(({ index, tasks }) => [index, tasks]));
  const uses = new Map<number, { texts: Set<string>; spans: { file: DataFile; span: RowSpan }[] }>();
  for (const file of draft.files) {
    if (!hasColumn(file, 'task_index')) continue;
    for (const span of file.spans) {
      const named = taskIndexes(file, span);
      for (const index of named) {
        const use = uses.get(index) ?? { texts: new Set(), spans: [] };
        uses.set(index, use);
        use.spans.push({ file, span });
        const texts = entries.get(span.episode);
        if (named.size === 1 && texts?.length === 1) use.texts.add(texts[0]);
      }
    }
  }
  return uses;
}

/** Returns the task indexes of an episode's rows. */
function taskIndexes(file: DataFile, { start, rows }: RowSpan): Set<number> {
  const runs = file.runs.filter((run) => run.start >= start && run.start < start + rows);
  return new Set(runs.flatMap(({ tasks }) => [...tasks.keys()]));
}

/** Fix: sets the task texts of the episodes table to those of the rows, which training uses. */
export const episodeTasks: LeRobotFix = {
  id: 'episode-tasks',
  title: 'List the tasks of the rows in the episode table, because training uses task_index of the rows',
  answers: ['task_text_unlisted', 'task_text_contradicts'],
  run: (draft) => {
    if (draft.tasks === null) return;
    const texts = new Map(draft.tasks.tasks.map(({ index, text }) => [index, text]));
    const known = new Set(texts.values());
    const locations = locateEpisodes(draft);
    for (const episode of draft.episodes) {
      const location = locations.get(episode.index);
      const own = location === undefined ? null : rowTexts(location, texts);
      if (own === null || own.length === 0 || matchesRows(own, episode.tasks ?? [], known)) continue;
      const before = episode.tasks ?? [];
      episode.tasks = own;
      draft.editedEpisodeColumns.add('tasks');
      draft.editedEpisodes.add(episode.index);
      if (episode.tableFile !== null)
        recordEpisodeTasks(draft, episode.index, episode.tableFile, before, own, new Set(texts.values()));
    }
  },
};

/** Returns the task texts of an episode's rows; null if a task has no text. */
function rowTexts({ file, span }: EpisodeLocation, texts: ReadonlyMap<number, string>): string[] | null {
  const changes = file.taskRemaps.get(span.episode);
  const own = [...taskIndexes(file, span)].map((index) => texts.get(changes?.get(index) ?? index));
  return own.every((text): text is string => text !== undefined) ? [...new Set(own)] : null;
}

/** Returns true if all row tasks are listed; further listed tasks are allowed if the tasks table has them. */
function matchesRows(
  own: readonly string[],
  entries: readonly string[],
  known: ReadonlySet<string>,
): boolean {
  return own.every((text) => entries.includes(text)) && entries.every((text) => known.has(text));
}

function recordEpisodeTasks(
  draft: LeRobotDraft,
  episode: number,
  path: string,
  before: readonly string[],
  after: readonly string[],
  known: ReadonlySet<string>,
): void {
  const unlisted = before.some((text) => !known.has(text));
  recordChange(draft, episodeTasks, [unlisted ? 'task_text_unlisted' : 'task_text_contradicts'], {
    path,
    episode,
    what: 'tasks',
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  });
}
