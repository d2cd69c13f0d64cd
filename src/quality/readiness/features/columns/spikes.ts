import type { Series } from '#core/episode';
import { samplesOf } from './columns.ts';

/** One or two samples of one dimension that leave the motion around them and come back at once. */
export interface Spikes {
  readonly count: number;
  /** How far the sharpest stands out: its height over the motion around it. */
  readonly strength: number;
  /** Height of that one. */
  readonly height: number;
  /** At most 16. */
  readonly rows: readonly number[];
}

/** Lower ones are told from noise by nothing. */
export const leastHeight = 0.05;
/** Height over the motion around, from which on a sample is counted. */
const leastStrength = 4;
const reach = 5;
/** Two samples of one spike differ by at most this share of its height. */
const alike = 0.5;
const mostListed = 16;
const steps = new Float64Array(2 * reach);

/**
 * Single samples, or two alike, that lie above both neighbours, or below both, by at least 5 % of the range, where the steps around are
 * small beside that. No quantile of the whole dimension is asked, so that many spikes do not hide each other.
 */
export function spikes(series: Series, d: number, range: number): Spikes {
  const { values, dims } = series;
  const samples = samplesOf(series);
  const rows: number[] = [];
  let count = 0;
  let strongest = 0;
  let highest = 0;
  for (let i = reach; i < samples - reach; i++) {
    const at = i * dims + d;
    const height = heightOf(values, dims, at);
    if (!(height >= leastHeight * range)) continue;
    const strength = height / (stepsAround(values, dims, at) + 0.01 * range);
    if (strength < leastStrength) continue;
    count++;
    if (rows.length < mostListed) rows.push(i);
    if (strength <= strongest) continue;
    strongest = strength;
    highest = height;
  }
  return { count, strength: strongest, height: highest, rows };
}

/** How far one sample, or two alike, stand above both neighbours, or below both; 0 where they do not. */
function heightOf(values: Series['values'], dims: number, at: number): number {
  const into = values[at] - values[at - dims];
  const next = values[at] - values[at + dims];
  if (into * next > 0 && Math.abs(next) > alike * Math.abs(into))
    return Math.min(Math.abs(into), Math.abs(next));
  if (Math.abs(next) > alike * Math.abs(into)) return 0;
  const outOf = values[at + dims] - values[at + 2 * dims];
  return into * outOf > 0 ? Math.min(Math.abs(into), Math.abs(outOf)) : 0;
}

/** The median of the steps around a spike of up to two samples, its own left out. */
function stepsAround(values: Series['values'], dims: number, at: number): number {
  let n = 0;
  for (let k = -reach + 1; k <= reach; k++) {
    if (k >= 0 && k <= 2) continue;
    steps[n++] = Math.abs(values[at + k * dims] - values[at + (k - 1) * dims]);
  }
  const around = steps.subarray(0, n).sort();
  return around[n >> 1];
}
