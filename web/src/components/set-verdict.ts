import type { Run } from '#client';
import { describeSetVerdict } from '#quality/report/views';

type Usability = NonNullable<Run['usability']>;

/** Describes the verdict of a run on its recordings as a whole. */
export function runVerdict({ episodes, decisions, loader }: Run, usability: Usability): string {
  const counts = { all: episodes.judged + episodes.unreadable, to_review: decisions.review };
  return describeSetVerdict(usability, counts, loader);
}

/** Returns the class name of the text of a verdict. */
export const verdictStyle = (verdict: Usability['verdict']): string | undefined =>
  ({ usable: undefined, usable_after_fix: 'caution', not_usable: 'lost' })[verdict];
