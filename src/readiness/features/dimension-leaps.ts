import type { Stream } from '#episode';
import type { StreamFeatures } from './stream-features.ts';

/** The largest step of one dimension, where it stands out from the motion around it. */
export interface DimensionLeap {
  readonly dimension: number;
  /** The step leads into this row. */
  readonly row: number;
  /** |step| over the sum of the dimension's 95th-percentile step and the largest step within four rows around. */
  readonly isolation: number;
  /** |step| over the dimension's range. */
  readonly share: number;
}

/** Below this a step is ordinary motion: clean dimensions of real arms stay under 2 mostly, under 4 always. */
const least = 2;
/** Dimensions that hardly move beside the widest one tell noise, not motion. */
const leastRange = 0.05;

export interface DimensionLeaps {
  /** Dimensions that move and are no switches. */
  readonly active: number;
  readonly leaps: readonly DimensionLeap[];
}

/**
 * The isolated steps of a stream, one a dimension at most. Costs a look at a dozen values for each dimension. Switches
 * and dimensions that rest nearly always are left out, since every move of theirs is a step.
 */
export function dimensionLeaps(stream: Stream, features: StreamFeatures): DimensionLeaps {
  const { columns, dims, samples } = features;
  const leaps: DimensionLeap[] = [];
  let active = 0;
  let widest = 0;
  for (let d = 0; d < dims; d++) widest = Math.max(widest, columns.maximum[d] - columns.minimum[d]);
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > leastRange * widest) || isSwitch(features, d)) continue;
    active++;
    const step = columns.step_max[d];
    const p95 = columns.step_p95[d];
    if (step < least * p95) continue;
    const row = columns.step_max_row[d];
    const isolation = step / (p95 + stepsAround(stream, d, row, samples));
    if (isolation >= least) leaps.push({ dimension: d, row, isolation, share: step / range });
  }
  return { active, leaps };
}

/** Few distinct values: it seldom changes, and when it does it crosses a good part of its range at once. */
export function isSwitch({ columns, samples }: StreamFeatures, d: number): boolean {
  const range = columns.maximum[d] - columns.minimum[d];
  return columns.zero_steps[d] > 0.8 * samples && columns.step_median[d] > 0.08 * range;
}

/** Largest step 2 to 4 rows before and after; the neighbours themselves are left out, a spike has two steps. */
function stepsAround(stream: Stream, d: number, row: number, samples: number): number {
  const { values, dims } = stream.series!;
  let largest = 0;
  for (let i = Math.max(1, row - 4); i <= row + 4 && i < samples; i++) {
    if (i >= row - 1 && i <= row + 1) continue;
    const step = Math.abs(values[i * dims + d] - values[(i - 1) * dims + d]);
    if (step > largest && step < Infinity) largest = step;
  }
  return largest;
}
