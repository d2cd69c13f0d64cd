import { type DataFile, hasColumn, type RowSpan } from '../draft/data-file.ts';
import type { LeRobotDraft } from '../draft/draft.ts';

/** Where rows name a task, and what the table of episodes says it is called. */
export interface TaskUse {
  /** Texts of the episodes that name this task and no other. */
  readonly texts: ReadonlySet<string>;
  readonly spans: readonly { readonly file: DataFile; readonly span: RowSpan }[];
}

/** By task_index as rows have it. */
export function usesOf(draft: LeRobotDraft): Map<number, TaskUse> {
  const said = new Map(draft.episodes.map(({ index, tasks }) => [index, tasks]));
  const uses = new Map<number, { texts: Set<string>; spans: { file: DataFile; span: RowSpan }[] }>();
  for (const file of draft.files) {
    if (!hasColumn(file, 'task_index')) continue;
    for (const span of file.spans) {
      const named = tasksOf(file, span);
      for (const index of named) {
        const use = uses.get(index) ?? { texts: new Set(), spans: [] };
        uses.set(index, use);
        use.spans.push({ file, span });
        const texts = said.get(span.episode);
        if (named.size === 1 && texts?.length === 1) use.texts.add(texts[0]);
      }
    }
  }
  return uses;
}

/** task_index of a span's rows as they are. */
export function tasksOf(file: DataFile, { start, rows }: RowSpan): Set<number> {
  const runs = file.runs.filter((run) => run.start >= start && run.start < start + rows);
  return new Set(runs.flatMap(({ tasks }) => [...tasks.keys()]));
}
