import type { Stream } from '#core/episode';
import { strongest } from '../lag/strongest.ts';
import { scratch } from '../scratch.ts';
import type { StreamFeatures } from '../stream-features.ts';
import { columnsOf } from './columns.ts';

/**
 * How far each row lies from the row before, in units of the motion around it: the step into row i projected on the
 * mean of the two steps before and the two after, over the stream's smooth dimensions, each weighted by its own
 * root-mean-square step. Steady motion gives 1, k rows missing just before row i give about 1 + k.
 */
export interface RowLeaps {
  /** Rows 3..samples−3 hold leap · speed. Valid until the next stream with the same slot is measured. */
  readonly leap: Float64Array;
  /** Squared speed around the row, for telling motion from rest. */
  readonly speed: Float64Array;
  readonly mean_speed: number;
}

const mostDimensions = 4;
/** A dimension is smooth when it seldom repeats a value and its steps resemble their neighbours. */
const mostRepeats = 0.3;
const mostRoughness = 1;

export function rowLeaps(stream: Stream, features: StreamFeatures, slot: string): RowLeaps | null {
  const { series } = stream;
  const n = features.samples;
  if (series === undefined || n < 12) return null;
  const chosen = smoothDimensions(features);
  if (chosen.length === 0) return null;
  const leap = scratch(`${slot}-leap`, n);
  const speed = scratch(`${slot}-speed`, n);
  const columns = columnsOf(series);
  let total = 0;
  chosen.forEach((d, k) => {
    const weight = 1 / features.columns.step_rms[d] ** 2;
    total += addDimension(columns.buffer, columns.at(d), n, weight, leap, speed, k === 0);
  });
  return { leap, speed, mean_speed: total / Math.max(1, n - 5) };
}

function smoothDimensions({ columns, samples, dims }: StreamFeatures): number[] {
  return strongest(dims, mostDimensions, (d) => {
    if (columns.step_rms[d] === 0 || columns.non_finite[d] > 0) return 0;
    if (columns.zero_steps[d] > mostRepeats * samples) return 0;
    return mostRoughness - (columns.bend_rms[d] / columns.step_rms[d]) ** 2;
  });
}

/** Adds one dimension's share to every row, or starts with it; returns the sum of the squared speeds it added. */
function addDimension(
  x: Float64Array,
  base: number,
  n: number,
  weight: number,
  leap: Float64Array,
  speed: Float64Array,
  first: boolean,
): number {
  let total = 0;
  for (let i = 3; i < n - 2; i++) {
    const at = base + i;
    const here = x[at];
    const before = x[at - 1];
    const around = weight * (before - x[at - 3] + x[at + 2] - here) * 0.25;
    const along = (here - before) * around;
    const squared = (around * around) / weight;
    total += squared;
    leap[i] = first ? along : leap[i] + along;
    speed[i] = first ? squared : speed[i] + squared;
  }
  return total;
}
