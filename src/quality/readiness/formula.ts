/** One thing that a check grades. */
export interface GradedAspect {
  /** What is measured, in words and symbols. */
  readonly what: string;
  /** How that becomes a score from 0 to 1: `1 at 2 %, 0 at 12 %`. */
  readonly score: string;
}

/** What a check grades and how, as data: the documentation shows a table, the API and the report one line. */
export interface Formula {
  /** How the scores of the aspects become one: `least of, over the streams`. */
  readonly combine: string;
  readonly aspects: readonly GradedAspect[];
  /** Whole sentences on what is exempt, weighted, or never judged. */
  readonly notes?: readonly string[];
}

/** The formula in one line of text, without a full stop at its end. */
export function formulaText({ combine, aspects, notes = [] }: Formula): string {
  const graded = aspects.map(({ what, score }) => `${what}: ${score}`).join('; ');
  return [`${combine}: ${graded}`, ...notes].join('. ');
}
