/** A sentence, and what it rests on: ids, codes and numbers. */
export interface Sentence {
  readonly text: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
}

export interface Decided {
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

/** What answers are made from: a project's state, or what was judged of a folder. */
export interface Grounds {
  /** A project's name, or a path. */
  readonly name: string;
  /** The id of that, as evidence. */
  readonly of: Sentence['evidence'];
  readonly episodes: number;
  readonly decisions: Decided;
  /** Null: no episode has a score. */
  readonly median_score: number | null;
  /** Codes by the number of episodes that raise them, most first. */
  readonly flags: readonly { readonly value: string; readonly episodes: number }[];
  /** What is wrong with recordings as a whole, the worst first, each code once. */
  readonly faults: readonly {
    readonly code: string;
    readonly severity: string;
    readonly advice: string;
    /** Where it is: a source, or a path. */
    readonly at: Sentence['evidence'];
  }[];
  /** Episodes, the worst first. */
  readonly worst: readonly {
    readonly id: string;
    readonly score: number | null;
    readonly decision: string;
    readonly flags: readonly string[];
  }[];
  /** How the data suits its target; a sentence says why that is not known. */
  readonly target:
    | {
        readonly target_profile: string;
        readonly verdict: string;
        readonly requirements: readonly Requirement[];
      }
    | Sentence;
  /** What the newest work brought, and what that changed. */
  readonly whatChanged: () => Promise<readonly Sentence[]>;
  readonly whatItCost: () => Promise<readonly Sentence[]>;
  /** What to do next; none where nothing is open. */
  readonly next: readonly Sentence[];
}

/** A shape of question that has a deterministic answer. */
export interface QuestionShape {
  readonly id: string;
  /** How somebody may ask it. */
  readonly example: string;
  /** Words that tell it; the shape with the most of them in a question is meant. */
  readonly words: RegExp;
  readonly answer: (grounds: Grounds) => Promise<readonly Sentence[]>;
}
