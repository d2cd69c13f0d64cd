import type { Series } from '#core/episode';
import { getColumns } from './columns.ts';
import { scratchBuffer } from './numeric.ts';

/**
 * Statistics of every dimension of a numeric stream, one array entry per dimension. A step is x[i] − x[i−1];
 * a bend is x[i+1] − 2 x[i] + x[i−1], zero for steady motion. Non-finite values are counted, and replaced by
 * linear interpolation for the other statistics.
 */
export interface ColumnFeatures {
  /** Minimum, maximum, mean and standard deviation; zero if no value is finite. */
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly std: Float64Array;
  readonly non_finite: number[];
  /** First row with a non-finite value; −1 if there is none. */
  readonly non_finite_row: number[];
  /** Number of samples exactly at the minimum and at the maximum. */
  readonly at_minimum: number[];
  readonly at_maximum: number[];
  /** Mean of |step| and root mean square of the steps, over all steps. */
  readonly step_mean: number[];
  readonly step_rms: number[];
  readonly zero_steps: number[];
  /** Longest run of equal values: number of samples (1 if no value repeats) and its first row. */
  readonly run_length: number[];
  readonly run_from: number[];
  /** Root mean square of all bends. */
  readonly bend_rms: number[];
  /** 98th percentile of |bend|, to a 256th of the largest. */
  readonly bend_p98: number[];
  /** Largest |bend| and its middle row. */
  readonly bend_max: number[];
  readonly bend_max_row: number[];
}

/**
 * Computes the statistics of every dimension of a series; values that are not finite are counted and interpolated.
 * Linear in samples; each column is walked twice while it is in the cache.
 */
export function computeColumnFeatures(series: Series): ColumnFeatures {
  const out = createColumnFeatures(series.dims);
  const columns = getColumns(series);
  const { buffer, samples } = columns;
  if (samples === 0) return out;
  for (let d = 0; d < series.dims; d++) {
    const from = columns.at(d);
    if (!measureFiniteColumn(buffer, from, from + samples, d, out))
      measureInterpolated(buffer, from, samples, d, out);
  }
  return out;
}

function createColumnFeatures(dims: number): ColumnFeatures {
  const doubles = (): Float64Array => new Float64Array(dims);
  const numbers = (): number[] => createZeros(dims);
  return {
    minimum: doubles(),
    maximum: doubles(),
    mean: doubles(),
    std: doubles(),
    non_finite: numbers(),
    non_finite_row: numbers(),
    at_minimum: numbers(),
    at_maximum: numbers(),
    step_mean: numbers(),
    step_rms: numbers(),
    zero_steps: numbers(),
    run_length: numbers(),
    run_from: numbers(),
    bend_rms: numbers(),
    bend_p98: numbers(),
    bend_max: numbers(),
    bend_max_row: numbers(),
  };
}

let zeroRow: number[] = [];

/**
 * Creates an array of zeros. Copied from an array of doubles, so that V8 does not convert it when the first
 * fraction is written.
 */
function createZeros(count: number): number[] {
  if (zeroRow.length < count) zeroRow = Array.from({ length: count }, () => 0.5).fill(0);
  return zeroRow.slice(0, count);
}

/**
 * Measures a column in which every value is finite. Returns `false`, with unusable results in `out`, if one
 * is not; that shows in the sum, so the loop needs no test. Moments are taken about the first value, so that
 * a large offset costs no precision.
 */
function measureFiniteColumn(
  x: Float64Array,
  from: number,
  to: number,
  d: number,
  out: ColumnFeatures,
): boolean {
  const origin = x[from];
  let before = origin;
  let stepBefore = to - from > 1 ? x[from + 1] - origin : 0;
  let low = origin;
  let high = origin;
  let sum = 0;
  let squares = 0;
  let path = 0;
  let stepSquares = 0;
  let zeros = 0;
  let run = 1;
  let longest = 1;
  let longestEnd = from;
  let bendSquares = 0;
  let sharpest = 0;
  let sharpestRow = from;
  for (let i = from + 1; i < to; i++) {
    const value = x[i];
    const shifted = value - origin;
    sum += shifted;
    squares += shifted * shifted;
    if (value < low) low = value;
    else if (value > high) high = value;
    const step = value - before;
    before = value;
    if (step === 0) {
      zeros++;
      if (++run > longest) {
        longest = run;
        longestEnd = i;
      }
    } else run = 1;
    path += Math.abs(step);
    stepSquares += step * step;
    const bend = Math.abs(step - stepBefore);
    stepBefore = step;
    bendSquares += bend * bend;
    if (bend > sharpest) {
      sharpest = bend;
      sharpestRow = i - 1;
    }
  }
  if (!Number.isFinite(squares) || !Number.isFinite(origin)) return false;
  const count = to - from;
  const mean = sum / count;
  out.minimum[d] = low;
  out.maximum[d] = high;
  out.mean[d] = origin + mean;
  out.std[d] = low === high ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean));
  out.step_mean[d] = path / Math.max(1, count - 1);
  out.step_rms[d] = Math.sqrt(stepSquares / Math.max(1, count - 1));
  out.zero_steps[d] = zeros;
  out.run_length[d] = longest;
  out.run_from[d] = longestEnd - from + 1 - longest;
  out.bend_rms[d] = Math.sqrt(bendSquares / Math.max(1, count - 2));
  out.bend_p98[d] = sharpest === 0 ? 0 : computeBendQuantile(x, from, to, sharpest, 0.98);
  countSamplesAtLimits(x, from, to, d, out);
  out.bend_max[d] = sharpest;
  out.bend_max_row[d] = sharpestRow - from;
  out.non_finite_row[d] = -1;
  return true;
}

function countSamplesAtLimits(
  x: Float64Array,
  from: number,
  to: number,
  d: number,
  out: ColumnFeatures,
): void {
  const low = out.minimum[d];
  const high = out.maximum[d];
  let atLow = 0;
  let atHigh = 0;
  for (let i = from; i < to; i++) {
    if (x[i] === low) atLow++;
    if (x[i] === high) atHigh++;
  }
  out.at_minimum[d] = atLow;
  out.at_maximum[d] = atHigh;
}

const bucketCount = 256;
/**
 * Minimum number of bends above the quantile: a spike of two or three samples has up to five bends, which in
 * a short recording alone would exceed 2 %.
 */
const minAboveQuantile = 6;
const bucketCounts = new Int32Array(bucketCount);

/**
 * Computes a quantile of |bend| by counting in equal buckets of the largest, without sorting; returns the
 * middle of the bucket.
 */
function computeBendQuantile(
  x: Float64Array,
  from: number,
  to: number,
  largest: number,
  quantile: number,
): number {
  bucketCounts.fill(0);
  const scale = (bucketCount - 1) / largest;
  for (let i = from + 1; i < to - 1; i++)
    bucketCounts[(Math.abs(x[i + 1] - x[i] - (x[i] - x[i - 1])) * scale) | 0]++;
  const allowed = Math.max(minAboveQuantile, Math.floor((1 - quantile) * (to - from - 2)));
  let above = 0;
  for (let b = bucketCount - 1; b > 0; b--) {
    above += bucketCounts[b];
    if (above > allowed) return (b + 0.5) / scale;
  }
  return 0.5 / scale;
}

/**
 * Counts non-finite values and measures the column with linear interpolation in their place; leaves zeros if
 * no value is finite.
 */
function measureInterpolated(
  x: Float64Array,
  from: number,
  samples: number,
  d: number,
  out: ColumnFeatures,
): void {
  const bridged = scratchBuffer('bridged', samples);
  let bad = 0;
  let first = -1;
  let last = -1;
  for (let i = 0; i < samples; i++) {
    const value = x[from + i];
    if (!Number.isFinite(value)) {
      if (bad++ === 0) first = i;
      continue;
    }
    bridged[i] = value;
    if (last < i - 1) interpolateRows(bridged, last, i);
    last = i;
  }
  if (last >= 0) {
    bridged.fill(bridged[last], last + 1, samples);
    measureFiniteColumn(bridged, 0, samples, d, out);
  }
  out.non_finite[d] = bad;
  out.non_finite_row[d] = first;
}

/** Interpolates the rows between two finite ones; rows before the first finite one take its value. */
function interpolateRows(x: Float64Array, last: number, next: number): void {
  if (last < 0) {
    x.fill(x[next], 0, next);
    return;
  }
  for (let i = last + 1; i < next; i++) x[i] = x[last] + ((x[next] - x[last]) * (i - last)) / (next - last);
}
