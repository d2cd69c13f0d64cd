import type { JsonObject } from '#core';
import type { CameraEvidence, DeclaredStatistics, Episode, Kind, PictureScope } from '#core/episode';
import type { EpisodeFeatures } from './features/episode-features.ts';
import type { Formula } from './formula.ts';

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

/** An episode, its kind, and everything that was measured of it outside the pure middle. */
export interface Subject {
  readonly episode: Episode;
  readonly kind: Kind;
  /** By stream id. */
  readonly cameras: ReadonlyMap<string, CameraEvidence>;
  /** Facts of the streams that several checks need, computed once (rates, ranges, runs of equal values). */
  readonly features: EpisodeFeatures;
  /** What the dataset says of all its episodes' rows together; absent where it says nothing. */
  readonly declared_statistics?: DeclaredStatistics | undefined;
  /** How many of the pictures were looked at; `sampled` when absent. */
  readonly pictures?: PictureScope | undefined;
}

/** What measuring gives: numbers to judge, or why there are none. */
export type Measured<M extends JsonObject = JsonObject> =
  | { readonly status: 'measured'; readonly values: M }
  | {
      readonly status: 'inapplicable' | 'not_assessable';
      readonly reason: string;
      /** Judged after all where other episodes have something to say of this one: a camera that only it lacks. */
      readonly if_noted?: M;
    };

/** Where on the timeline something was wrong; the report draws it. Seconds since the episode's start. */
export interface Mark {
  readonly stream: string;
  readonly from_s: number;
  readonly to_s: number;
  /** Dimension of a numeric stream. */
  readonly dimension?: number;
}

/**
 * One thing a check looks at. Its score is 0..1; below the check's threshold it raises `flag`. `observed` is the
 * number the score was computed from.
 */
export interface Aspect<Flag extends string = string> {
  readonly flag: Flag;
  readonly score: number;
  readonly observed: number;
  /** What was seen, in a sentence with the numbers; said only when the flag is raised. */
  readonly message: () => string;
  readonly marks?: readonly Mark[];
}

export interface FlagRow {
  readonly code: string;
  /**
   * `blocking`: the episode is rejected while this flag is up. `warning`: it is not accepted unseen. `info`: said, and
   * changes neither score nor decision.
   */
  readonly severity: 'blocking' | 'warning' | 'info';
  /** What the flag says, for the docs. */
  readonly meaning: string;
  /** What to do about it. */
  readonly advice: string;
  /** A flag that names the same cause more exactly: where it is up, this one lowers the score and is not said again. */
  readonly echo_of?: string;
}

export interface Threshold {
  /** Aspects scoring below raise their flag; shifted by at most ±0.2 in settings. */
  readonly value: number;
  /** Where the number comes from: a paper, a vendor's tool, the fault bench. */
  readonly source: string;
}

/** What other episodes say about this one; see `comparisons/`. */
export type ComparedNotes = Readonly<Record<string, JsonObject>>;

/**
 * One readiness check. Measuring sees the episode and is done once; judging sees only what was measured, so that new
 * settings never decode again. Both are pure.
 */
export interface Check<M extends JsonObject = JsonObject> {
  readonly id: CheckId;
  readonly title: string;
  /** What a recording must carry for it. */
  readonly needs: string;
  readonly kinds: readonly Kind[];
  readonly formula: Formula;
  readonly threshold: Threshold;
  readonly weight: number;
  readonly flags: readonly FlagRow[];
  /** What thresholds and curves were set on. */
  readonly calibrated_on: string;
  measure(subject: Subject): Measured<M>;
  /** The component's score is the least of its aspects'. An empty list scores 1. */
  judge(values: M, notes: ComparedNotes): readonly Aspect[];
}

/** Declares a check with its measurement's own type; the registry sees plain JSON. */
export function defineCheck<M extends JsonObject>(check: Check<M>): Check {
  return { ...check, judge: (values, notes) => check.judge(values as M, notes) };
}
