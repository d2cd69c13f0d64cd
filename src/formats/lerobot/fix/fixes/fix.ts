import { listText } from '#core';
import type { Change, Unfixed } from '../../../shared/fix/fix.ts';
import type { LeRobotRuleId } from '../../rules/contract.ts';
import type { DataFile, RowSpan } from '../data-file.ts';
import type { LeRobotDraft } from '../draft.ts';

/** A kind of repair of a LeRobot set. */
export interface LeRobotFix {
  readonly id: string;
  /** Title shown to users. */
  readonly title: string;
  /** Codes of rules and findings that it resolves. */
  readonly answers: readonly (LeRobotRuleId | OtherCode)[];
  /** Changes the draft and records each change; problems that it cannot fix are recorded as unfixed. */
  readonly run: (draft: LeRobotDraft) => void | Promise<void>;
}

/** Codes of reader findings that are not rules of LeRobot's loader. */
type OtherCode =
  | 'metadata_count_mismatch'
  | 'file_unreferenced'
  | 'nonstandard_json'
  | 'stats_inconsistent'
  | 'clock_jitter'
  | 'timestamps_duplicated';

/** Appends a change to `draft.changes`, without episode unless given; the caller makes the change itself. */
export function recordChange(
  draft: LeRobotDraft,
  { id }: Pick<LeRobotFix, 'id'>,
  answers: LeRobotFix['answers'],
  change: Pick<Change, 'path' | 'what' | 'before' | 'after'> & { readonly episode?: number },
): void {
  draft.changes.push({ fix: id, answers, episode: null, ...change });
}

/** Appends a problem that cannot be fixed to `draft.unfixed`, without path and episode unless given. */
export function recordUnfixed(
  draft: LeRobotDraft,
  code: string,
  problem: Pick<Unfixed, 'message' | 'advice'> & { readonly path?: string; readonly episode?: number },
): void {
  draft.unfixed.push({ code, path: null, episode: null, ...problem });
}

/** Location of an episode's rows. */
export interface EpisodeLocation {
  readonly file: DataFile;
  readonly span: RowSpan;
  /** Index of its first row in the set. */
  readonly firstIndex: number;
}

/**
 * Returns the file, rows and first index of all episodes with rows in the data files, by episode index; listed episodes
 * without rows are not in it.
 */
export function locateEpisodes(draft: LeRobotDraft): Map<number, EpisodeLocation> {
  const locations = new Map<number, EpisodeLocation>();
  for (const file of draft.files)
    for (const span of file.spans)
      locations.set(span.episode, { file, span, firstIndex: file.firstIndex + span.start });
  return locations;
}

/** Returns the number of rows in all readable data files of the draft. */
export function countRows(draft: LeRobotDraft): number {
  return draft.files.reduce((sum, { rows }) => sum + rows, 0);
}

/** Joins at most `maxItems` items to a text: `3, 4, 5, 6, 7 and 12 more`. */
export const formatList = (items: readonly (string | number)[], maxItems = 5): string =>
  listText(items, maxItems);
