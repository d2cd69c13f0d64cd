import { seededRandom, significant } from '#core';
import type { Policy } from './policies.ts';

/** Subset of episodes that a probe trains on. */
export type SubsetId = 'raw' | 'accepted' | 'curated';

/**
 * Mean squared error relative to the variance of the held-out actions: 0 is exact, 1 is as good as always predicting
 * their mean.
 */
export interface PolicyError {
  readonly policy: Policy['id'];
  readonly error: number;
  /** 95 % interval, by bootstrap over held-out recordings. */
  readonly interval: readonly [number, number];
}

/** Subset with its probe result. */
export interface ProbedSubset {
  readonly id: SubsetId;
  /** Description of how it was chosen. */
  readonly how: string;
  readonly episodes: number;
  /** Number of episodes without usable rows, by reason. */
  readonly left_out: readonly { readonly reason: string; readonly episodes: number }[];
  /** Smallest training set over the folds. */
  readonly training: { readonly episodes: number; readonly pairs: number };
  readonly outcome:
    | { readonly status: 'measured'; readonly policies: readonly PolicyError[] }
    | { readonly status: 'not_assessable'; readonly reason: string };
}

/** Comparison of two subsets by one policy on the same held-out episodes. */
export interface ProbeComparison {
  readonly policy: Policy['id'];
  readonly subset: SubsetId;
  readonly against: SubsetId;
  /**
   * Error of `subset` minus error of `against`, by the same bootstrap draws; negative if `subset` predicts better.
   */
  readonly difference: Estimate;
  readonly intervals_overlap: boolean;
  readonly in_words: string;
}

/** Result of a probe that could be run. */
export interface MeasuredProbe {
  readonly status: 'measured';
  readonly seed: number;
  readonly folds: number;
  /** State rows per prediction: the current row and the sampled rows before it. */
  readonly window_rows: number;
  readonly state_dims: number;
  /** Dimensions of the action; only those that vary are compared (`compared_dims`). */
  readonly action_dims: number;
  readonly compared_dims: number;
  readonly held_out: { readonly episodes: number; readonly pairs: number; readonly why: string };
  readonly policies: readonly { readonly id: Policy['id']; readonly about: string }[];
  readonly subsets: readonly ProbedSubset[];
  readonly comparisons: readonly ProbeComparison[];
  readonly limits: readonly string[];
}

/** Result of a probe, or the reason why it could not be run. */
export type ProbeResult =
  | MeasuredProbe
  | { readonly status: 'not_assessable'; readonly reason: string; readonly limits: readonly string[] };

const bootstrapDraws = 1000;
const tailShare = 0.025;

/** Sum of a quantity and number of rows, by recording; recordings without rows are ignored. */
export interface Sums {
  readonly sums: Float64Array;
  readonly rows: Int32Array;
}

/** Value with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  /** 95 % interval. */
  readonly interval: readonly [number, number];
}

/**
 * Computes the mean per row with a 95 % interval by percentile bootstrap over recordings (Efron 1979), from the sum
 * and number of rows of each recording. Draws whole recordings, because the rows of one recording are correlated. A
 * seed draws the same recordings whatever quantity was measured.
 */
export function bootstrap({ sums, rows }: Sums, seed: number): Estimate {
  const recordings = [...rows.keys()].filter((place) => rows[place] > 0);
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: bootstrapDraws }, () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < recordings.length; i++) {
      const place = recordings[random.integer(0, recordings.length - 1)];
      sum += sums[place];
      count += rows[place];
    }
    return sum / count;
  }).sort();
  const at = (share: number): number => significant(means[Math.round(share * (bootstrapDraws - 1))]);
  const total = sums.reduce((sum, value) => sum + value, 0);
  return {
    value: significant(total / rows.reduce((sum, value) => sum + value, 0)),
    interval: [at(tailShare), at(1 - tailShare)],
  };
}
