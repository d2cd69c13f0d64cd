import type { Series } from '#episode';
import { columnsOf } from './columns.ts';
import { bucketCount, bucketOf, takeQuantile } from './log-histogram.ts';
import { counterScratch } from './scratch.ts';

/** Facts of every dimension of a numeric stream. A step is x[i] − x[i−1]; only finite values and steps count. */
export interface ColumnFeatures {
  /** Zero, as are mean and std, where no value is finite. */
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly std: Float64Array;
  readonly non_finite: Int32Array;
  /** First row that is not finite, −1 without any. */
  readonly non_finite_row: Int32Array;
  /** Samples exactly at the minimum, at the maximum. */
  readonly at_minimum: Int32Array;
  readonly at_maximum: Int32Array;
  /** Mean of |step|, and root mean square of step, over all steps. */
  readonly step_mean: Float64Array;
  readonly step_rms: Float64Array;
  readonly zero_steps: Int32Array;
  /** Longest run of equal values: samples in it (1 = none repeats) and its first row. */
  readonly run_length: Int32Array;
  readonly run_from: Int32Array;
  /** A bend is x[i+1] − 2 x[i] + x[i−1], what steady motion has none of: root mean square of all of them, */
  readonly bend_rms: Float64Array;
  /** 98th percentile of |bend| where it is not zero (to 9 %), */
  readonly bend_p98: Float64Array;
  /** the largest |bend| and its middle row. */
  readonly bend_max: Float64Array;
  readonly bend_max_row: Int32Array;
}

/** Walks every column three times in cache; linear in samples. */
export function columnFeatures(series: Series): ColumnFeatures {
  const out = emptyFeatures(series.dims);
  const columns = columnsOf(series);
  const { buffer, samples } = columns;
  for (let d = 0; d < series.dims; d++) {
    const from = columns.at(d);
    measureValues(buffer, from, from + samples, d, out);
    measureSteps(buffer, from, from + samples, d, out);
    measureBends(buffer, from, from + samples, d, out);
  }
  return out;
}

function emptyFeatures(dims: number): ColumnFeatures {
  const numbers = (): Float64Array => new Float64Array(dims);
  const integers = (): Int32Array => new Int32Array(dims);
  return {
    minimum: numbers(),
    maximum: numbers(),
    mean: numbers(),
    std: numbers(),
    non_finite: integers(),
    non_finite_row: integers(),
    at_minimum: integers(),
    at_maximum: integers(),
    step_mean: numbers(),
    step_rms: numbers(),
    zero_steps: integers(),
    run_length: integers(),
    run_from: integers(),
    bend_rms: numbers(),
    bend_p98: numbers(),
    bend_max: numbers(),
    bend_max_row: integers(),
  };
}

/** Extremes and moments; the moments are taken about the first value so that a large offset costs no digits. */
function measureValues(column: Float64Array, from: number, to: number, d: number, out: ColumnFeatures): void {
  let origin = 0;
  let low = Infinity;
  let high = -Infinity;
  let atLow = 0;
  let atHigh = 0;
  let sum = 0;
  let squares = 0;
  let bad = 0;
  let badRow = -1;
  for (let i = from; i < to; i++) {
    const x = column[i];
    if (x - x !== 0) {
      if (bad++ === 0) badRow = i - from;
      continue;
    }
    if (i === from + bad) origin = x;
    const shifted = x - origin;
    sum += shifted;
    squares += shifted * shifted;
    if (x <= low) {
      atLow = x === low ? atLow + 1 : 1;
      low = x;
    }
    if (x >= high) {
      atHigh = x === high ? atHigh + 1 : 1;
      high = x;
    }
  }
  out.non_finite[d] = bad;
  out.non_finite_row[d] = badRow;
  const count = to - from - bad;
  if (count === 0) return;
  const mean = sum / count;
  out.minimum[d] = low;
  out.maximum[d] = high;
  out.at_minimum[d] = atLow;
  out.at_maximum[d] = atHigh;
  out.mean[d] = origin + mean;
  out.std[d] = low === high ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean));
}

function measureSteps(column: Float64Array, from: number, to: number, d: number, out: ColumnFeatures): void {
  let path = 0;
  let squares = 0;
  let zeros = 0;
  let run = 1;
  let longest = to > from ? 1 : 0;
  let longestEnd = 0;
  for (let i = from + 1; i < to; i++) {
    const step = column[i] - column[i - 1];
    if (step === 0) {
      zeros++;
      if (++run > longest) {
        longest = run;
        longestEnd = i - from;
      }
      continue;
    }
    run = 1;
    const size = step < 0 ? -step : step;
    if (size < Infinity) {
      path += size;
      squares += size * size;
    }
  }
  const steps = Math.max(1, to - from - 1);
  out.step_mean[d] = path / steps;
  out.step_rms[d] = Math.sqrt(squares / steps);
  out.zero_steps[d] = zeros;
  out.run_length[d] = longest;
  out.run_from[d] = longestEnd === 0 ? 0 : longestEnd - longest + 1;
}

function measureBends(column: Float64Array, from: number, to: number, d: number, out: ColumnFeatures): void {
  const counts = counterScratch(bucketCount);
  let lowest = bucketCount;
  let highest = -1;
  let squares = 0;
  let largest = 0;
  let largestRow = 0;
  for (let i = from + 1; i < to - 1; i++) {
    const bend = column[i + 1] - 2 * column[i] + column[i - 1];
    const size = bend < 0 ? -bend : bend;
    if (!(size > 0 && size < Infinity)) continue;
    squares += size * size;
    const bucket = bucketOf(size);
    counts[bucket]++;
    if (bucket < lowest) lowest = bucket;
    if (bucket > highest) highest = bucket;
    if (size > largest) {
      largest = size;
      largestRow = i - from;
    }
  }
  out.bend_rms[d] = Math.sqrt(squares / Math.max(1, to - from - 2));
  out.bend_p98[d] = takeQuantile(counts, lowest, highest, 0.98);
  out.bend_max[d] = largest;
  out.bend_max_row[d] = largestRow;
}
