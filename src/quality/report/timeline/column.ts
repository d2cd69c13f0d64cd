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

/** Returns the bucket nearest to a time, or -1 if there is none. Buckets need not be in order of time. */
export function bucketAt({ first, last, count }: Axis, time_s: number): number {
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let b = 0; b < count; b++) {
    const away = time_s < first[b] ? first[b] - time_s : time_s > last[b] ? time_s - last[b] : 0;
    if (away < distance) {
      best = b;
      distance = away;
    }
  }
  return best;
}

/** Formats the value at a time, or the range of values if the bucket has several samples. */
export function valueAt(column: Column, time_s: number): string {
  const bucket = bucketAt(column.axis, time_s);
  if (bucket < 0) return '–';
  const outlier = column.outliers.find((each) => each.bucket === bucket);
  const low = outlier ? outlier.least : column.low[bucket];
  const high = outlier ? outlier.greatest : column.high[bucket];
  if (Number.isNaN(low)) return 'not a number';
  return low === high ? number(low) : `${number(low, 3)} … ${number(high, 3)}`;
}
