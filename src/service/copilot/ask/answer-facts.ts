/** A sentence with its evidence: ids, codes and numbers. */
export interface Sentence {
  readonly text: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
}

/** Episodes by decision. */
export interface DecisionCounts {
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
