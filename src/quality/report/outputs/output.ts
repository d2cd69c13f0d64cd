import type { Assessment, Decision, Incomplete } from '#core/api';
import type { Finding, Severity } from '#core/episode';

/** What an output says of one episode. */
export interface JudgedEpisode {
  /** Index into `Assessed.datasets`. */
  readonly dataset: number;
  /** Number of the episode in its dataset. */
  readonly index: number;
  readonly id: string;
  readonly kind: string;
  readonly decision: Decision;
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly flags: readonly {
    readonly code: string;
    readonly check: string;
    readonly severity: 'blocking' | 'warning' | 'info';
    readonly message: string | null;
  }[];
  readonly findings: readonly {
    readonly code: string;
    readonly severity: Severity;
    readonly message: string | null;
    readonly advice: string;
  }[];
  readonly reason: string | null;
  /** The receipt's file, relative to the output folder; null where none was written. */
  readonly receipt: string | null;
}

/** A finished assessment as outputs see it. */
export interface Assessed {
  readonly datasets: readonly {
    /** Relative to what was assessed; `.` for that itself. */
    readonly path: string;
    readonly findings: readonly Finding[];
  }[];
  /** Of listing what was assessed. */
  readonly findings: readonly Finding[];
  readonly verdicts: readonly JudgedEpisode[];
  readonly decisions: Readonly<Record<Decision, number>>;
  readonly settings: Assessment['dataset']['settings'];
  readonly unreadable: number;
  readonly incomplete: readonly Incomplete[];
  receipts(): Iterable<string>;
  summary(): Assessment['dataset'];
}

/** What an output is told beside the assessment. */
export interface OutputContext {
  /** What was assessed, as the person named it. */
  readonly path: string;
  readonly version: string;
  /** From which decision on an episode counts as failed. */
  readonly fail_on: 'review' | 'reject';
  /** By code: what every flag means and asks for. */
  readonly flags: ReadonlyMap<string, { readonly meaning: string; readonly advice: string }>;
}

/** One way to write a verdict for a program or a page: a file of `outputs/` and a line in its registry. */
export interface OutputFormat {
  readonly id: string;
  /** What it is for, in a few words: help and docs show it. */
  readonly about: string;
  /** Which parts of an assessment it needs beyond decisions, scores and codes. */
  readonly needs: 'receipts' | 'messages' | null;
  write(assessed: Assessed, context: OutputContext): Iterable<string>;
}
