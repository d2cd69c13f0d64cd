/** A sentence with its evidence: ids, codes and numbers. */
export interface Sentence {
  readonly text: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
}

/** Episodes by decision. */
interface DecisionCounts {
  readonly accept: number;
  readonly review: number;
  readonly reject: number;
}

interface Requirement {
  readonly id: string;
  readonly level: 'required' | 'helps';
  readonly status: 'met' | 'not_met' | 'not_assessable';
  readonly reason: string;
}

/** Facts that answers are made from: of a project, or of a local folder. */
export interface AnswerFacts {
  /** Name of the project, or path of the folder. */
  readonly name: string;
  /** Its id, as evidence. */
  readonly of: Sentence['evidence'];
  readonly episodes: number;
  readonly decisions: DecisionCounts;
  /** Median score; null if no episode has one. */
  readonly median_score: number | null;
  /** Flags with their number of episodes, most frequent first. */
  readonly flags: readonly { readonly value: string; readonly episodes: number }[];
  /** Dataset findings, worst first, one per code. */
  readonly faults: readonly {
    readonly code: string;
    readonly severity: string;
    readonly advice: string;
    /** Location: a source or a path. */
    readonly at: Sentence['evidence'];
  }[];
  /** Episodes, worst first. */
  readonly worst: readonly {
    readonly id: string;
    /** Name for readers, with the path of its dataset if there are several. */
    readonly name: string;
    readonly score: number | null;
    readonly decision: string;
    readonly flags: readonly string[];
  }[];
  /** Readiness for the target; a sentence with the reason if it is unknown. */
  readonly target:
    | {
        readonly target_profile: string;
        readonly verdict: string;
        readonly requirements: readonly Requirement[];
      }
    | Sentence;
  /** Describes the newest results and what they changed. */
  readonly whatChanged: () => Promise<readonly Sentence[]>;
  readonly whatItCost: () => Promise<readonly Sentence[]>;
  /** Next steps; empty if nothing is open. */
  readonly next: readonly Sentence[];
}

/** A kind of question with a deterministic answer. */
export interface QuestionShape {
  readonly id: string;
  /** Example of the question. */
  readonly example: string;
  /** Words that identify it; the shape with the most matches in a question is chosen. */
  readonly words: RegExp;
  readonly answer: (grounds: AnswerFacts) => Promise<readonly Sentence[]>;
}

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

/** Returns a trimmed text with an upper-case first letter and, unless it ends with `.`, `!` or `?`, a full stop. */
export function toSentence(text: string): string {
  const whole = text.trim();
  const upper = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

/** Returns an id as words: `needs_work` gives `needs work`. */
export const toWords = (id: string): string => id.replaceAll('_', ' ');
