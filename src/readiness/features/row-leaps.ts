import type { Stream } from '#episode';
import { copyColumn } from './column-features.ts';
import { scratch } from './scratch.ts';
import type { StreamFeatures } from './stream-features.ts';

/**
 * How far each row lies from the row before, in units of the motion around it: the step into row i projected on the
 * mean of the two steps before and the two after, over the stream's smooth dimensions, each weighted by its own
 * root-mean-square step. Steady motion gives 1, k rows missing just before row i give about 1 + k.
 */
export interface RowLeaps {
  /** Rows 3..samples−3 hold a value, the others 0. Valid until the next stream with the same slot is measured. */
  readonly leap: Float64Array;
  /** Squared speed around the row, for telling motion from rest. */
  readonly speed: Float64Array;
  readonly dimensions: number;
}

const mostDimensions = 6;
/** A dimension is smooth when it seldom repeats a value and its steps resemble their neighbours. */
const mostRepeats = 0.3;
const mostRoughness = 1;

export function rowLeaps(stream: Stream, features: StreamFeatures, slot: string): RowLeaps | null {
  const { series } = stream;
  const n = features.samples;
  if (series === undefined || n < 12) return null;
  const chosen = smoothDimensions(features);
  if (chosen.length === 0) return null;
  const column = scratch('column', n);
  const leap = scratch(`${slot}-leap`, n);
  const speed = scratch(`${slot}-speed`, n);
  leap.fill(0, 0, n);
  speed.fill(0, 0, n);
  for (const d of chosen) {
    copyColumn(series, d, 0, n, column);
    addDimension(column, n, 1 / features.columns.step_rms[d] ** 2, leap, speed);
  }
  for (let i = 3; i < n - 2; i++) leap[i] = speed[i] > 0 ? leap[i] / speed[i] : 0;
  return { leap, speed, dimensions: chosen.length };
}

function smoothDimensions({ columns, samples, dims }: StreamFeatures): number[] {
  const chosen: number[] = [];
  for (let d = 0; d < dims; d++) {
    if (columns.step_rms[d] === 0 || columns.non_finite[d] > 0) continue;
    if (columns.zero_steps[d] > mostRepeats * samples) continue;
    if (roughness(columns, d) < mostRoughness) chosen.push(d);
  }
  if (chosen.length <= mostDimensions) return chosen;
  return chosen.sort((a, b) => roughness(columns, a) - roughness(columns, b)).slice(0, mostDimensions);
}

function roughness(columns: StreamFeatures['columns'], d: number): number {
  return (columns.bend_rms[d] / columns.step_rms[d]) ** 2;
}

function addDimension(
  x: Float64Array,
  n: number,
  weight: number,
  leap: Float64Array,
  speed: Float64Array,
): void {
  for (let i = 3; i < n - 2; i++) {
    const around = (x[i - 1] - x[i - 3] + x[i + 2] - x[i]) * 0.25;
    leap[i] += weight * (x[i] - x[i - 1]) * around;
    speed[i] += weight * around * around;
  }
}
