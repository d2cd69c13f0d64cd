import { seededRandom, significant } from '#core';
import type { Policy } from './policy.ts';

export type SubsetId = 'raw' | 'accepted' | 'curated';

/** Mean squared error in variances of the held-out actions: 0 is exact, 1 what their mean as the answer would give. */
export interface PolicyError {
  readonly policy: Policy['id'];
  readonly error: number;
  /** 95 %, by bootstrap over held-out episodes. */
  readonly interval: readonly [number, number];
}

export interface ProbedSubset {
  readonly id: SubsetId;
  /** How it was chosen. */
  readonly how: string;
  readonly episodes: number;
  /** Episodes that give no rows, by reason. */
  readonly left_out: readonly { readonly reason: string; readonly episodes: number }[];
  /** Of the fold with the fewest. */
  readonly training: { readonly episodes: number; readonly pairs: number };
  readonly outcome:
    | { readonly status: 'measured'; readonly policies: readonly PolicyError[] }
    | { readonly status: 'not_assessable'; readonly reason: string };
}

/** Two subsets by one policy, on the same held-out episodes. */
export interface ProbeComparison {
  readonly policy: Policy['id'];
  readonly subset: SubsetId;
  readonly against: SubsetId;
  /** Error of `subset` less that of `against`, by the same draws: below 0, `subset` predicts better. */
  readonly difference: Estimate;
  readonly intervals_overlap: boolean;
  readonly in_words: string;
}

export interface MeasuredProbe {
  readonly status: 'measured';
  readonly seed: number;
  readonly folds: number;
  /** Rows of state that a policy sees: that of the moment, and of sampled moments before it. */
  readonly window_rows: number;
  readonly state_dims: number;
  /** Dimensions of the action, and how many of them vary and are compared. */
  readonly action_dims: number;
  readonly compared_dims: number;
  readonly held_out: { readonly episodes: number; readonly pairs: number; readonly why: string };
  readonly policies: readonly { readonly id: Policy['id']; readonly about: string }[];
  readonly subsets: readonly ProbedSubset[];
  readonly comparisons: readonly ProbeComparison[];
  readonly limits: readonly string[];
}

export type ProbeResult =
  | MeasuredProbe
  | { readonly status: 'not_assessable'; readonly reason: string; readonly limits: readonly string[] };

const draws = 1000;
const outside = 0.025;

/** Sums and numbers of rows, by recording; recordings without rows are passed over. */
export interface Sums {
  readonly sums: Float64Array;
  readonly rows: Int32Array;
}

export interface Estimate {
  readonly value: number;
  /** 95 %. */
  readonly interval: readonly [number, number];
}

/**
 * The mean over rows with the interval of a percentile bootstrap over recordings (Efron 1979): rows of one recording
 * are alike, so that it is recordings which are drawn. One seed draws the same recordings whatever was measured of them.
 */
export function bootstrap({ sums, rows }: Sums, seed: number): Estimate {
  const places = [...rows.keys()].filter((place) => rows[place] > 0);
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: draws }, () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < places.length; i++) {
      const place = places[random.integer(0, places.length - 1)];
      sum += sums[place];
      count += rows[place];
    }
    return sum / count;
  }).sort();
  const at = (share: number): number => significant(means[Math.round(share * (draws - 1))]);
  const total = sums.reduce((sum, value) => sum + value, 0);
  return {
    value: significant(total / rows.reduce((sum, value) => sum + value, 0)),
    interval: [at(outside), at(1 - outside)],
  };
}
