import type { Stream } from '#core/episode';
import type { StreamFeatures } from '../stream-features.ts';

/** The sharpest bend of one dimension, where it stands out from the motion around it. */
export interface DimensionLeap {
  readonly dimension: number;
  /** The larger of the two steps at the bend leads into this row. */
  readonly row: number;
  /** |bend| over the sum of the dimension's 98th-percentile bend and the sharpest other one within ten rows. */
  readonly isolation: number;
  /** |bend| over the dimension's range. */
  readonly share: number;
}

export interface DimensionLeaps {
  /** Dimensions that move and are no switches. */
  readonly active: number;
  readonly leaps: readonly DimensionLeap[];
}

/** Below this a bend is ordinary motion: half of all clean dimensions of real arms stay under 1.2. */
const least = 2;
/** Dimensions that hardly move beside the widest one tell noise, not motion; likewise bends small beside the range. */
const leastRange = 0.05;
const leastBend = 0.02;
/** In so few samples no bend stands out from the others: control in steps is nothing but bends. */
const fewest = 30;

/**
 * The isolated bends of a stream, one a dimension at most; only a bend is looked at, so the cost is some twenty values
 * a dimension. Switches are left out, since every move of theirs is a leap.
 */
export function dimensionLeaps(stream: Stream, features: StreamFeatures): DimensionLeaps {
  const { columns, dims, samples } = features;
  const leaps: DimensionLeap[] = [];
  if (samples < fewest) return { active: 0, leaps };
  let active = 0;
  const widest = widestRange(features);
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > leastRange * widest) || isSwitch(features, d)) continue;
    active++;
    const bend = columns.bend_max[d];
    const size = Math.min(1, bend / range / leastBend);
    if (bend * size < least * columns.bend_p98[d]) continue;
    const middle = columns.bend_max_row[d];
    const isolation = (size * bend) / (columns.bend_p98[d] + bendsAround(stream, d, middle, samples));
    if (isolation < least) continue;
    leaps.push({ dimension: d, row: leapRow(stream, d, middle), isolation, share: bend / range });
  }
  return { active, leaps };
}

export function widestRange({ columns, dims }: StreamFeatures): number {
  let widest = 0;
  for (let d = 0; d < dims; d++) widest = Math.max(widest, columns.maximum[d] - columns.minimum[d]);
  return widest;
}

/** Few distinct values: it seldom changes, and when it does it crosses a good part of its range at once. */
export function isSwitch({ columns, samples }: StreamFeatures, d: number): boolean {
  const range = columns.maximum[d] - columns.minimum[d];
  const changes = samples - 1 - columns.zero_steps[d];
  return changes < 0.2 * samples && columns.step_mean[d] * (samples - 1) > 0.12 * range * changes;
}

/** Sharpest bend 5 to 10 rows before and after; a spike of three samples has five bends of its own, four rows apart. */
function bendsAround(stream: Stream, d: number, middle: number, samples: number): number {
  const { values, dims } = stream.series!;
  let sharpest = 0;
  const to = Math.min(samples - 2, middle + 10);
  for (let i = Math.max(1, middle - 10); i <= to; i++) {
    if (i >= middle - 4 && i <= middle + 4) continue;
    const at = i * dims + d;
    const bend = Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]);
    if (bend > sharpest && bend < Infinity) sharpest = bend;
  }
  return sharpest;
}

function leapRow(stream: Stream, d: number, middle: number): number {
  const { values, dims } = stream.series!;
  const at = middle * dims + d;
  const into = Math.abs(values[at] - values[at - dims]);
  const outOf = Math.abs(values[at + dims] - values[at]);
  return into >= outOf ? middle : middle + 1;
}
