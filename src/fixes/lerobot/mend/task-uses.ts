import { type DataFile, hasColumn, type Segment } from '../draft/data-file.ts';
import type { LeRobotDraft } from '../draft/draft.ts';

/** Where rows name a task, and what the table of episodes says it is called. */
export interface TaskUse {
  /** Texts of the episodes that name this task and no other. */
  readonly texts: ReadonlySet<string>;
  readonly segments: readonly { readonly file: DataFile; readonly segment: Segment }[];
}

/** By task_index as rows have it. */
export function usesOf(draft: LeRobotDraft): Map<number, TaskUse> {
  const said = new Map(draft.episodes.map(({ index, tasks }) => [index, tasks]));
  const uses = new Map<number, { texts: Set<string>; segments: { file: DataFile; segment: Segment }[] }>();
  for (const file of draft.files) {
    if (!hasColumn(file, 'task_index')) continue;
    for (const segment of file.segments) {
      const named = tasksOf(file, segment);
      for (const index of named) {
        const use = uses.get(index) ?? { texts: new Set(), segments: [] };
        uses.set(index, use);
        use.segments.push({ file, segment });
        const texts = said.get(segment.episode);
        if (named.size === 1 && texts?.length === 1) use.texts.add(texts[0]);
      }
    }
  }
  return uses;
}

/** task_index of a segment's rows as they are. */
export function tasksOf(file: DataFile, { start, rows }: Segment): Set<number> {
  const runs = file.runs.filter((run) => run.start >= start && run.start < start + rows);
  return new Set(runs.flatMap(({ tasks }) => [...tasks.keys()]));
}
