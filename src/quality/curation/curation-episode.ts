import type { Decision } from '#core/api';

/** A bounded sample of what was seen and done: rows far apart in time, the same for every run. */
export interface StateActionSample {
  /** Only samples of one layout are compared: names and sizes of the streams they come from. */
  readonly layout: string;
  readonly state_dims: number;
  readonly action_dims: number;
  /** Row-major, `rows * state_dims` and `rows * action_dims` numbers, in the streams' own units. */
  readonly states: Float32Array;
  readonly actions: Float32Array;
  readonly rows: number;
}

/** Rest before the first motion and after the last, in seconds since the episode's start. */
export interface IdleSpans {
  readonly head_s: number;
  readonly tail_s: number;
}

/**
 * What curation knows of an episode. What was not measured is absent or null: a strategy that needs it says so and
 * keeps the episode.
 */
export interface CurationEpisode {
  /** Unique in the set. */
  readonly id: string;
  readonly decision: Decision;
  /** 0 to 1; null: no check could be scored. */
  readonly score: number | null;
  readonly flags: readonly string[];
  readonly task: string | null;
  readonly robot: string | null;
  readonly operator: string | null;
  readonly outcome: 'success' | 'failure' | 'unknown';
  readonly duration_s: number;
  /** SHA-256 of all its numbers or pictures; equal ones are the same recording. */
  readonly content_hash?: string;
  /** Fixed-size descriptor of the trajectory; see the search index. */
  readonly motion?: Float32Array;
  /** Fixed-size descriptor of the pictures. */
  readonly picture?: Float32Array;
  /** Descriptors of another layout are not compared; absent: all of one length are. */
  readonly layouts?: { readonly motion?: string; readonly picture?: string };
  readonly sample?: StateActionSample;
  readonly idle?: IdleSpans;
}

/** In the order of ids: a plan never depends on the order in which episodes come. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
