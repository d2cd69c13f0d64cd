import type { Change, Unfixed } from '../../../shared/fix/fix.ts';
import type { LeRobotRuleId } from '../../rules/contract.ts';
import type { DataFile, RowSpan } from '../draft/data-file.ts';
import type { LeRobotDraft } from '../draft/draft.ts';

/** One kind of repair of a LeRobot set. */
export interface Mend {
  readonly id: string;
  /** What it does, for people. */
  readonly title: string;
  /** Rules and findings that it answers. */
  readonly answers: readonly (LeRobotRuleId | OtherCode)[];
  /** Changes the draft and notes each change; what it finds and cannot mend is noted as unfixed. */
  readonly run: (draft: LeRobotDraft) => void | Promise<void>;
}

/** Findings of readers that are no rule of LeRobot's loader. */
type OtherCode =
  | 'metadata_count_mismatch'
  | 'file_unreferenced'
  | 'nonstandard_json'
  | 'stats_inconsistent'
  | 'clock_jitter'
  | 'timestamps_duplicated';

/** Notes a change. */
export function changed(
  draft: LeRobotDraft,
  { id }: Pick<Mend, 'id'>,
  answers: Mend['answers'],
  change: Pick<Change, 'path' | 'what' | 'before' | 'after'> & { readonly episode?: number },
): void {
  draft.changes.push({ fix: id, answers, episode: null, ...change });
}

export function unfixed(
  draft: LeRobotDraft,
  code: string,
  said: Pick<Unfixed, 'message' | 'advice'> & { readonly path?: string; readonly episode?: number },
): void {
  draft.unfixed.push({ code, path: null, episode: null, ...said });
}

/** Where the rows of an episode lie. */
export interface Home {
  readonly file: DataFile;
  readonly span: RowSpan;
  /** Rows of the set before it. */
  readonly from: number;
}

/** Homes of the episodes that have rows, by number. */
export function homesOf(draft: LeRobotDraft): Map<number, Home> {
  const homes = new Map<number, Home>();
  for (const file of draft.files)
    for (const span of file.spans)
      homes.set(span.episode, { file, span, from: file.firstIndex + span.start });
  return homes;
}

export function totalRows(draft: LeRobotDraft): number {
  return draft.files.reduce((sum, { rows }) => sum + rows, 0);
}

/** `3, 4, 5 and 12 more`. */
export function few(items: readonly (string | number)[], most = 5): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
