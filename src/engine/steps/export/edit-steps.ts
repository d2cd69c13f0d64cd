import { readEdits, trimByPlan } from '#formats/write';
import type { ExportAsked, ExportSource } from './export-task.ts';

/** Without members that say nothing. */
export const editRequest = (
  edits: Readonly<Record<string, readonly string[] | undefined>> = {},
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(edits).flatMap(([id, texts]) => (texts === undefined ? [] : [[id, [...texts]]])),
  );

interface Asked extends Pick<ExportAsked, 'edits'> {
  readonly sources: readonly Pick<ExportSource, 'trims'>[];
}

/** What is asked to be changed, in order; a plan chooses among the episodes of one set, and so are its trims. Throws `usage`. */
export function editSteps({ edits = {}, sources: [{ trims }] }: Asked) {
  const isTrimmed = trims !== undefined && Object.keys(trims).length > 0;
  return [...readEdits(edits), ...(isTrimmed ? [trimByPlan(trims)] : [])];
}
