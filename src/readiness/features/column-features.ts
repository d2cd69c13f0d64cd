import type { Series } from '#episode';
import { counterScratch, scratch } from './scratch.ts';
import { bucketCount, bucketOf, takeQuantiles } from './step-histogram.ts';

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
  /** Quantiles of |step| where it is not zero (to 9 %). */
  readonly step_median: Float64Array;
  readonly step_p95: Float64Array;
  readonly step_max: Float64Array;
  /** Row that the largest step led to. */
  readonly step_max_row: Int32Array;
  readonly zero_steps: Int32Array;
  /** Longest run of equal values: samples in it (1 = none repeats) and its first row. */
  readonly run_length: Int32Array;
  readonly run_from: Int32Array;
  /** Root mean square of the second difference: what alternates from sample to sample. */
  readonly curvature: Float64Array;
}

const quantiles = [0.5, 0.95];
const found = new Float64Array(quantiles.length);

/** Walks every column once; linear in samples. The working copy is one column long. */
export function columnFeatures(series: Series): ColumnFeatures {
  const samples = samplesOf(series);
  const out = emptyFeatures(series.dims);
  const column = scratch('column', samples);
  for (let d = 0; d < series.dims; d++) {
    copyColumn(series, d, 0, samples, column);
    measureValues(column, samples, d, out);
    measureSteps(column, samples, d, out);
  }
  return out;
}

export function samplesOf(series: Series): number {
  return series.dims === 0 ? 0 : Math.floor(series.values.length / series.dims);
}

/** Rows `from..from+rows` of one column as doubles, so that the hot loops see one kind of array only. */
export function copyColumn(series: Series, d: number, from: number, rows: number, out: Float64Array): void {
  const { values, dims } = series;
  let at = from * dims + d;
  for (let i = 0; i < rows; i++) {
    out[i] = values[at];
    at += dims;
  }
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
    step_median: numbers(),
    step_p95: numbers(),
    step_max: numbers(),
    step_max_row: integers(),
    zero_steps: integers(),
    run_length: integers(),
    run_from: integers(),
    curvature: numbers(),
  };
}

/** Extremes and moments; the moments are taken about the first value so that a large offset costs no digits. */
function measureValues(column: Float64Array, samples: number, d: number, out: ColumnFeatures): void {
  let origin = 0;
  let low = Infinity;
  let high = -Infinity;
  let atLow = 0;
  let atHigh = 0;
  let sum = 0;
  let squares = 0;
  let bad = 0;
  let badRow = -1;
  for (let i = 0; i < samples; i++) {
    const x = column[i];
    if (x - x !== 0) {
      if (bad++ === 0) badRow = i;
      continue;
    }
    if (i === bad) origin = x;
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
  const count = samples - bad;
  if (count === 0) return;
  const mean = sum / count;
  out.minimum[d] = low;
  out.maximum[d] = high;
  out.at_minimum[d] = atLow;
  out.at_maximum[d] = atHigh;
  out.mean[d] = origin + mean;
  out.std[d] = low === high ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean));
}

function measureSteps(column: Float64Array, samples: number, d: number, out: ColumnFeatures): void {
  const counts = counterScratch(bucketCount);
  let lowest = bucketCount;
  let highest = -1;
  let path = 0;
  let squares = 0;
  let bends = 0;
  let bendCount = 0;
  let largest = 0;
  let largestRow = 0;
  let zeros = 0;
  let run = 1;
  let longest = samples > 0 ? 1 : 0;
  let longestEnd = 0;
  let stepBefore = NaN;
  for (let i = 1; i < samples; i++) {
    const step = column[i] - column[i - 1];
    if (step === 0) {
      zeros++;
      if (++run > longest) {
        longest = run;
        longestEnd = i;
      }
    } else {
      run = 1;
      const size = step < 0 ? -step : step;
      if (size < Infinity) {
        path += size;
        squares += size * size;
        const bucket = bucketOf(size);
        counts[bucket]++;
        if (bucket < lowest) lowest = bucket;
        if (bucket > highest) highest = bucket;
        if (size > largest) {
          largest = size;
          largestRow = i;
        }
      }
    }
    const bend = step - stepBefore;
    if (bend - bend === 0) {
      bends += bend * bend;
      bendCount++;
    }
    stepBefore = step;
  }
  takeQuantiles(counts, lowest, highest, quantiles, found);
  out.step_mean[d] = samples > 1 ? path / (samples - 1) : 0;
  out.step_rms[d] = samples > 1 ? Math.sqrt(squares / (samples - 1)) : 0;
  out.step_median[d] = found[0];
  out.step_p95[d] = found[1];
  out.step_max[d] = largest;
  out.step_max_row[d] = largestRow;
  out.zero_steps[d] = zeros;
  out.run_length[d] = longest;
  out.run_from[d] = longestEnd === 0 ? 0 : longestEnd - longest + 1;
  out.curvature[d] = bendCount === 0 ? 0 : Math.sqrt(bends / bendCount);
}
