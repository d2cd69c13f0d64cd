import type { Decision } from '#core/api';

/** Sample of states and actions at up to 64 moments; deterministic. */
export interface StateActionSample {
  /** Names and sizes of the source streams. Only samples with equal layouts can be compared. */
  readonly layout: string;
  readonly state_dims: number;
  readonly action_dims: number;
  /** Row-major, `rows * state_dims` and `rows * action_dims` numbers, in the units of the streams. */
  readonly states: Float32Array;
  readonly actions: Float32Array;
  readonly rows: number;
}

/** Durations of rest before the first motion and after the last, in seconds. */
export interface IdleSpans {
  readonly head_s: number;
  readonly tail_s: number;
}

/**
 * Facts about an episode that curation uses. Facts that were not measured are absent or null; a strategy that needs one
 * reports the episode as not assessable and keeps it.
 */
export interface CurationEpisode {
  /** Unique in the set. */
  readonly id: string;
  readonly decision: Decision;
  /** 0 to 1; null if no check could be scored. */
  readonly score: number | null;
  readonly flags: readonly string[];
  readonly task: string | null;
  readonly robot: string | null;
  readonly operator: string | null;
  readonly outcome: 'success' | 'failure' | 'unknown';
  readonly duration_s: number;
  /** Classes of its labels and annotations, sorted. */
  readonly objects?: readonly string[];
  /** SHA-256 of all numbers or pictures; equal hashes mean the same recording. */
  readonly content_hash?: string;
  /** Fixed-size descriptor of the trajectory; see the search index. */
  readonly motion?: Float32Array;
  /** Fixed-size descriptor of the pictures. */
  readonly picture?: Float32Array;
  /**
   * Layouts of the descriptors; only equal layouts are compared. Absent: descriptors of equal length are compared.
   */
  readonly layouts?: { readonly motion?: string; readonly picture?: string };
  readonly sample?: StateActionSample;
  readonly idle?: IdleSpans;
  /** Name of a locked slice that holds it out for evaluation; absent if none does. */
  readonly held_out?: string;
}

/** Compares two items by id for `sort`, so that plans do not depend on the input order. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
