import type { Series } from '#core/episode';
import { samplesOf } from './columns.ts';

/** Share of rows at which a dimension is clipped while another moves, and the longest such run. */
export interface Saturation {
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

/** A signal that hardly ever repeats a value for long does not rest on one for longer than this many times that. */
const mostTimesUsual = 4;
const longRun = 8;
/** Velocity lost in one sample over the sharpest bend of the ten rows on the other side: braking spreads over rows. */
const leastCorner = 1.5;
const leastBend = 0.005;

/**
 * Rows exactly on `limit` in runs of three or more, while another dimension moves. A joint may come to rest at the end
 * of its range, so only runs count that are entered or left at speed, or, in a signal as noisy as a sensor's or a hand's, that last far longer than it repeats any other value.
 */
export function saturation(
  series: Series,
  d: number,
  limit: number,
  [low, high]: readonly [number, number],
  noisy: boolean,
): Saturation {
  const samples = samplesOf(series);
  const { values, dims } = series;
  const unusual = noisy
    ? Math.max(longRun, mostTimesUsual * longestBetween(series, d, low, high, samples))
    : Infinity;
  let rows = 0;
  let from = 0;
  let to = 0;
  for (let start = 0; start < samples; start++) {
    if (values[start * dims + d] !== limit) continue;
    let end = start;
    while (end + 1 < samples && values[(end + 1) * dims + d] === limit) end++;
    const length = end - start + 1;
    if (length >= 3 && (length >= unusual || hasCorner(series, d, start, end, samples, high - low))) {
      for (let i = Math.max(1, start); i <= end; i++) if (othersMove(values, dims, d, i)) rows++;
      if (end - start > to - from) {
        from = start;
        to = end;
      }
    }
    start = end;
  }
  return { share: samples > 0 ? rows / samples : 0, from, to };
}

/** Longest run of one value that is neither the lowest nor the highest. */
function longestBetween(
  { values, dims }: Series,
  d: number,
  low: number,
  high: number,
  samples: number,
): number {
  let longest = 1;
  let run = 1;
  for (let i = 1; i < samples; i++) {
    const x = values[i * dims + d];
    run = x === values[(i - 1) * dims + d] && x > low && x < high ? run + 1 : 1;
    if (run > longest) longest = run;
  }
  return longest;
}

function hasCorner(
  series: Series,
  d: number,
  start: number,
  end: number,
  samples: number,
  range: number,
): boolean {
  const floor = leastBend * range;
  const entered = bendWithin(series, d, start - 1, start, samples);
  const left = bendWithin(series, d, end, end + 1, samples);
  return (
    entered > leastCorner * (bendWithin(series, d, start - 12, start - 3, samples) + floor) ||
    left > leastCorner * (bendWithin(series, d, end + 3, end + 12, samples) + floor)
  );
}

/** Sharpest bend with its middle in rows `from..to`. */
function bendWithin({ values, dims }: Series, d: number, from: number, to: number, samples: number): number {
  let sharpest = 0;
  for (let i = Math.max(1, from); i <= Math.min(samples - 2, to); i++) {
    const at = i * dims + d;
    const bend = Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]);
    if (bend > sharpest) sharpest = bend;
  }
  return sharpest;
}

function othersMove(values: Series['values'], dims: number, d: number, row: number): boolean {
  const at = row * dims;
  for (let other = 0; other < dims; other++) {
    if (other !== d && values[at + other] !== values[at + other - dims]) return true;
  }
  return false;
}
