import type { Decided, Sentence } from './grounds.ts';
import { count } from './words.ts';

/** Two judgements of the same recordings, the later one against the earlier. */
export interface Compared {
  readonly before: { readonly episodes: number; readonly decisions: Decided };
  readonly after: { readonly episodes: number; readonly decisions: Decided };
  /** What the two are, as words and as evidence. */
  readonly since: string;
  readonly evidence: Sentence['evidence'];
}

/** How numbers of episodes and decisions differ. */
export function changesBetween({ before, after, since, evidence }: Compared): Sentence {
  const differences = {
    episodes: after.episodes - before.episodes,
    accept: after.decisions.accept - before.decisions.accept,
    review: after.decisions.review - before.decisions.review,
    reject: after.decisions.reject - before.decisions.reject,
  };
  const { episodes, accept, review, reject } = differences;
  const same = Object.values(differences).every((difference) => difference === 0);
  const { decisions } = after;
  const text = same
    ? `Since ${since} the numbers are the same: ${count(after.episodes, 'episode')}, ${decisions.accept} accepted, ${decisions.review} to review, ${decisions.reject} rejected.`
    : `Since ${since}: ${signed(episodes)} episodes, of which ${signed(accept)} accepted, ${signed(review)} to review, ${signed(reject)} rejected.`;
  return { text, evidence: { ...evidence, ...differences } };
}

const signed = (difference: number): string => (difference > 0 ? `+${difference}` : String(difference));
