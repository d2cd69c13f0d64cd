import type { Assessment, Decision, Incomplete, SetVerdict } from '#core/api';
import type { Finding, Severity } from '#core/episode';

/** Verdict of one episode, as outputs use it. */
export interface EpisodeVerdict {
  /** Index into `OutputAssessment.datasets`. */
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
  /** Path of the receipt, relative to the output folder; `null` if none was written. */
  readonly receipt: string | null;
}

/** A finished assessment, as outputs use it. */
export interface OutputAssessment {
  readonly datasets: readonly {
    /** Path relative to the assessed path; `.` for that path itself. */
    readonly path: string;
    readonly findings: readonly Finding[];
    readonly episodes: number;
    readonly unreadable: number;
    readonly decisions: Readonly<Record<Decision, number>>;
    /** Loader whose rules the dataset is checked against; `null` if no rules are known. */
    readonly loads: { readonly reader: string } | null;
    /** Verdict on the dataset as a whole. */
    readonly usability: SetVerdict;
  }[];
  /** Findings from listing the assessed path. */
  readonly findings: readonly Finding[];
  readonly verdicts: readonly EpisodeVerdict[];
  readonly decisions: Readonly<Record<Decision, number>>;
  readonly settings: Assessment['dataset']['settings'];
  readonly unreadable: number;
  /** Verdict on everything under the path. */
  readonly usability: SetVerdict;
  readonly incomplete: readonly Incomplete[];
  receipts(): Iterable<string>;
  summary(): Assessment['dataset'];
}

/** Context that outputs need in addition to the assessment. */
export interface OutputContext {
  /** Assessed path or title, as the user gave it. */
  readonly path: string;
  readonly version: string;
  /** Least severe decision that counts as failed. */
  readonly fail_on: 'review' | 'reject';
  /** Meaning and recommended action of every flag, by code. */
  readonly flags: ReadonlyMap<string, { readonly meaning: string; readonly advice: string }>;
}

/** An output format for programs or pages: one file in `outputs/` and one line in its registry. */
export interface OutputFormat {
  readonly id: string;
  /** Purpose in a few words, for help and docs. */
  readonly about: string;
  /** Parts of an assessment that it needs in addition to decisions, scores and codes. */
  readonly needs: 'receipts' | 'messages' | null;
  write(assessed: OutputAssessment, context: OutputContext): Iterable<string>;
}
