import type { JsonObject } from '#core';
import type { CameraEvidence, DeclaredStatistics, Episode, Kind, PictureScope } from '#core/episode';
import type { EpisodeFeatures } from './features/episode-features.ts';

/** Ids of all readiness checks, as stored in receipts. */
export type CheckId =
  | 'timeline_integrity'
  | 'signal_sync'
  | 'episode_length'
  | 'kinematic_sanity'
  | 'action_state_agreement'
  | 'gripper_activity'
  | 'gripper_consistency'
  | 'language_presence'
  | 'language_quality'
  | 'camera_coverage'
  | 'image_integrity'
  | 'annotation_coverage';

/**
 * Input of checks and comparisons: one episode, its kind, and the evidence that was gathered outside the pure
 * code.
 */
export interface Subject {
  readonly episode: Episode;
  readonly kind: Kind;
  /** Camera evidence by stream id; a camera stream may have none. */
  readonly cameras: ReadonlyMap<string, CameraEvidence>;
  /**
   * Stream features that several checks share (rates, ranges, runs of equal values); computed on first use.
   */
  readonly features: EpisodeFeatures;
  /** Statistics over all rows that the dataset's metadata declares; `undefined` if it declares none. */
  readonly declared_statistics?: DeclaredStatistics | undefined;
  /** Share of the pictures that was decoded; defaults to `sampled`. */
  readonly pictures?: PictureScope | undefined;
}

/** Result of measuring one check: the values to score, or the reason why there are none. */
export type CheckMeasurement<M extends JsonObject = JsonObject> =
  | { readonly status: 'measured'; readonly values: M }
  | {
      readonly status: 'inapplicable' | 'not_assessable';
      readonly reason: string;
      /**
       * Values to score anyway if a comparison left a note on this episode, for example on a camera that only
       * it lacks.
       */
      readonly if_noted?: M;
    };

/** Part of the timeline that a flag points at, drawn by the report. Seconds since the episode's start. */
export interface Mark {
  readonly stream: string;
  readonly from_s: number;
  readonly to_s: number;
  /** Dimension of a numeric stream; absent if the mark concerns the whole stream. */
  readonly dimension?: number;
}

/**
 * One graded aspect of a check. Its score is 0..1; below the check's threshold it raises `flag`. `observed`
 * is the number the score was computed from.
 */
export interface Aspect<Flag extends string = string> {
  readonly flag: Flag;
  readonly score: number;
  readonly observed: number;
  /** Describes the observation in one sentence with its numbers; called only if the flag is raised. */
  readonly message: () => string;
  readonly marks?: readonly Mark[];
}

/** Declaration of a flag that a check can raise. */
export interface FlagRow {
  readonly code: string;
  /**
   * `blocking`: the episode is rejected while the flag is raised. `warning`: the episode needs a review.
   * `info`: shown only; changes neither score nor decision.
   */
  readonly severity: 'blocking' | 'warning' | 'info';
  /** Meaning of the flag, for the docs. */
  readonly meaning: string;
  /** Recommended action. */
  readonly advice: string;
  /**
   * Code of a more specific flag for the same cause. If that flag is raised too, this one still lowers the
   * score but is not listed.
   */
  readonly echo_of?: string;
}

/** Default threshold of a check, with its source. */
export interface Threshold {
  /** Score below which an aspect raises its flag, 0..1; settings may shift it by at most ±0.2. */
  readonly value: number;
  /** Source of the number: a paper, a vendor's tool, the fault bench. */
  readonly source: string;
}

/** Notes that comparisons with other episodes left on this episode, by comparison id; see `comparisons/`. */
export type ComparisonNotes = Readonly<Record<string, JsonObject>>;

/**
 * One readiness check. `measure` reads the episode and runs once; `judge` reads only the measured values, so
 * new settings never decode the recording again. Both are pure.
 */
export interface Check<M extends JsonObject = JsonObject> {
  readonly id: CheckId;
  readonly title: string;
  /** Data that a recording must contain for the check to run. */
  readonly needs: string;
  readonly kinds: readonly Kind[];
  readonly formula: Formula;
  readonly threshold: Threshold;
  readonly weight: number;
  readonly flags: readonly FlagRow[];
  /** Data on which thresholds and score curves were calibrated. */
  readonly calibrated_on: string;
  measure(subject: Subject): CheckMeasurement<M>;
  /** Grades the measured values. The check's score is the lowest aspect score; an empty list scores 1. */
  judge(values: M, notes: ComparisonNotes): readonly Aspect[];
}

/**
 * Returns the check unchanged, but typed for plain JSON values, as the registry stores it; `check` itself has typed
 * measured values.
 */
export function defineCheck<M extends JsonObject>(check: Check<M>): Check {
  return { ...check, judge: (values, notes) => check.judge(values as M, notes) };
}

/** One aspect that a check grades, for docs, API and report. */
export interface GradedAspect {
  /** Measured quantity, in words and symbols. */
  readonly what: string;
  /** Mapping from the quantity to a score of 0..1, for example `1 at 2 %, 0 at 12 %`. */
  readonly score: string;
}

/** Formula of a check as data: the documentation shows it as a table, the API and the report as one line. */
export interface Formula {
  /** Rule that combines the aspect scores, for example `least of, over the streams`. */
  readonly combine: string;
  readonly aspects: readonly GradedAspect[];
  /** Full sentences on exemptions, weights and what is never graded. */
  readonly notes?: readonly string[];
}

/** Formats a formula as one line of text, without a full stop at its end. */
export function formulaText({ combine, aspects, notes = [] }: Formula): string {
  const graded = aspects.map(({ what, score }) => `${what}: ${score}`).join('; ');
  return [`Score: ${combine}: ${graded}`, ...notes].join('. ');
}
