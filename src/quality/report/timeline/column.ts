import { number } from '../views/index.ts';

/** Sample times of a stream in seconds, in buckets of one or more consecutive samples. */
export interface Axis {
  /** Times of the first and last sample of each bucket. */
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** Number of buckets. */
  readonly count: number;
  /** Mean interval between samples. */
  readonly step_s: number;
  /** True if each bucket is one sample. */
  readonly exact: boolean;
}

/** Values of one dimension of a stream: minimum and maximum of each bucket, NaN where there is no value. */
export interface Column {
  readonly axis: Axis;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Range of the plot. */
  readonly from: number;
  readonly to: number;
  /** Buckets that contain a value that is NaN or infinite. */
  readonly broken: readonly number[];
  /** Buckets whose values lie outside of the range. */
  readonly outliers: readonly {
    readonly bucket: number;
    readonly least: number;
    readonly greatest: number;
  }[];
}

/** Intervals of more than this many mean sample intervals are gaps: no curve is drawn and no value is shown in them. */
export const gapFactor = 2.5;

/**
 * Returns the bucket nearest to a time, or -1 if there is none near: without buckets, in a gap, before the first and
 * after the last sample. Buckets need not be in order of time.
 */
export function bucketAt({ first, last, count, step_s }: Axis, time_s: number): number {
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let b = 0; b < count; b++) {
    const away = time_s < first[b] ? first[b] - time_s : time_s > last[b] ? time_s - last[b] : 0;
    if (away < distance) {
      best = b;
      distance = away;
    }
  }
  return step_s > 0 && distance > (gapFactor / 2) * step_s ? -1 : best;
}

/** Returns the range that contains the ranges of all columns with values; 0 to 0 if no column has any. */
export function rangeOf(columns: readonly Column[]): { readonly from: number; readonly to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const column of columns) {
    if (column.low.every(Number.isNaN)) continue;
    if (column.from < from) from = column.from;
    if (column.to > to) to = column.to;
  }
  return from <= to && Number.isFinite(to - from) ? { from, to } : { from: 0, to: 0 };
}

/** Returns the bucket of the first sample at or after a time, or -1 if there is none. */
function nextBucket({ last, count }: Axis, time_s: number): number {
  let best = -1;
  for (let b = 0; b < count; b++) if (last[b] >= time_s && (best < 0 || last[b] < last[best])) best = b;
  return best;
}

/**
 * Formats the value at a time, or the range of values if the bucket has several samples; `–` if there is none. With
 * `isStep` a value applies to the time since the sample before, as an interval between samples does.
 */
export function valueAt(column: Column, time_s: number, isStep = false): string {
  const bucket = (isStep ? nextBucket : bucketAt)(column.axis, time_s);
  if (bucket < 0) return '–';
  const outlier = column.outliers.find((each) => each.bucket === bucket);
  const low = outlier ? outlier.least : column.low[bucket];
  const high = outlier ? outlier.greatest : column.high[bucket];
  if (Number.isNaN(low)) return column.broken.includes(bucket) ? 'not a number' : '–';
  return low === high ? number(low) : `${number(low, 3)} … ${number(high, 3)}`;
}
