import type { DecisionCounts, Sentence } from './answer-facts.ts';

/** Two judgements of the same recordings to compare. */
export interface JudgementComparison {
  readonly before: { readonly episodes: number; readonly decisions: DecisionCounts };
  readonly after: { readonly episodes: number; readonly decisions: DecisionCounts };
  /** Name of the earlier judgement, as words and as evidence. */
  readonly since: string;
  readonly evidence: Sentence['evidence'];
}

/** Returns a sentence on how the numbers of episodes and decisions differ. */
export function changesBetween({ before, after, since, evidence }: JudgementComparison): Sentence {
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
    ? `No change since ${since}: ${count(after.episodes, 'episode')}, ${decisions.accept} accepted, ${decisions.review} to review, ${decisions.reject} rejected.`
    : `Changes since ${since}: ${signed(episodes)} episodes, ${signed(accept)} accepted, ${signed(review)} to review, ${signed(reject)} rejected.`;
  return { text, evidence: { ...evidence, ...differences } };
}

const signed = (difference: number): string => (difference > 0 ? `+${difference}` : String(difference));

/** Returns a number with its noun: `1 episode`, `2 episodes`. */
export const count = (many: number, one: string, plural = `${one}s`): string =>
  `${many} ${many === 1 ? one : plural}`;

/** Returns a text with an upper-case first letter and a final full stop. */
export function toSentence(text: string): string {
  const whole = text.trim();
  const upper = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

/** Returns an id as words: `needs_work` gives `needs work`. */
export const toWords = (id: string): string => id.replaceAll('_', ' ');
