import { significant } from '#core';
import { packStamps, sketchColumn } from './column.ts';
import type { TimeAxis } from './sketch-types.ts';

/**
 * Partition of samples into buckets: bucket b contains samples `starts[b]` up to, not including, `starts[b +
 * 1]`.
 */
interface Buckets {
  readonly samples: number;
  readonly count: number;
  readonly per_bucket: number;
  /** `null` if every bucket is one sample. */
  readonly starts: Uint32Array | null;
}

/** A time axis with the partition of its samples. */
export interface MeasuredAxis {
  readonly sketch: TimeAxis;
  readonly buckets: Buckets;
}

/** Ratio of step to mean step from which a gap ends a bucket, so that gaps stay visible. */
const minGapRatio = 3;
const maxGaps = 128;
/** Maximum deviation from an even grid, in steps, for timestamps to be stored as even. */
const maxStepDeviation = 0.02;

/**
 * Creates the time axis of `samples` samples with at most `codes` codes per column: even if the timestamps are, else
 * with the times of its buckets. If `time` is `null`, samples are spread over 0..`duration_s`. Timestamps that are
 * not numbers take the previous one; timestamps far outside the episode are clamped.
 */
export function measureAxis(
  time: Float64Array | null,
  samples: number,
  codes: number,
  duration_s: number,
): MeasuredAxis {
  const span = duration_s > 0 ? duration_s : 1;
  if (time === null || samples < 2) {
    const at = time === null || samples === 0 || !Number.isFinite(time[0]) ? 0 : time[0];
    return createEvenAxis(samples, codes, at, time === null ? span : at);
  }
  const stamps = clampStamps(time, samples, span);
  if (isEvenlySpaced(stamps, samples)) return createEvenAxis(samples, codes, stamps[0], stamps[samples - 1]);
  return createUnevenAxis(stamps, time, samples, codes);
}

function createEvenAxis(samples: number, codes: number, from: number, to: number): MeasuredAxis {
  const buckets = createBuckets(samples, codes, null);
  return {
    buckets,
    sketch: {
      samples,
      buckets: buckets.count,
      per_bucket: buckets.per_bucket,
      from_s: significant(from, 9),
      to_s: significant(to, 9),
      first: null,
      last: null,
      interval: null,
    },
  };
}

function createUnevenAxis(
  stamps: Float64Array,
  time: Float64Array,
  samples: number,
  codes: number,
): MeasuredAxis {
  const buckets = createBuckets(samples, codes, stamps);
  const { first, last, from, to } = computeBucketSpans(stamps, buckets);
  const single = buckets.starts === null;
  return {
    buckets,
    sketch: {
      samples,
      buckets: buckets.count,
      per_bucket: buckets.per_bucket,
      from_s: from,
      to_s: to,
      first: packStamps(first, buckets.count, from, to),
      last: single ? null : packStamps(last, buckets.count, from, to),
      interval: sketchColumn(computeIntervals(time, samples), 1, 0, buckets, true),
    },
  };
}

function clampStamps(time: Float64Array, samples: number, span: number): Float64Array {
  const stamps = time.slice(0, samples);
  let before = 0;
  for (let i = 0; i < samples; i++) {
    const stamp = stamps[i];
    if (!(stamp >= -span && stamp <= 2 * span)) {
      stamps[i] = stamp < -span ? -span : stamp > 2 * span ? 2 * span : before;
    }
    before = stamps[i];
  }
  return stamps;
}

function isEvenlySpaced(stamps: Float64Array, samples: number): boolean {
  const from = stamps[0];
  const step = (stamps[samples - 1] - from) / (samples - 1);
  if (!(step > 0)) return false;
  const tolerance = maxStepDeviation * step;
  for (let i = 1; i < samples; i++) {
    const off = stamps[i] - from - i * step;
    if (off > tolerance || off < -tolerance) return false;
  }
  return true;
}

function computeIntervals(time: Float64Array, samples: number): Float64Array {
  const out = new Float64Array(samples);
  for (let i = 1; i < samples; i++) out[i] = time[i] - time[i - 1];
  // The first sample has no predecessor; repeat the next interval, which neither hides nor adds an extreme.
  out[0] = out[1];
  return out;
}

function createBuckets(samples: number, codes: number, stamps: Float64Array | null): Buckets {
  if (samples <= codes) return { samples, count: samples, per_bucket: 1, starts: null };
  const perBucket = Math.ceil(samples / Math.max(1, codes >> 1));
  const starts = new Uint32Array(Math.ceil(samples / perBucket) + maxGaps + 1);
  const gap =
    stamps === null
      ? Number.POSITIVE_INFINITY
      : (minGapRatio * Math.abs(stamps[samples - 1] - stamps[0])) / (samples - 1);
  let count = 0;
  let gaps = 0;
  let start = 0;
  for (let i = 1; i < samples; i++) {
    const atGap = stamps !== null && gaps < maxGaps && stamps[i] - stamps[i - 1] > gap;
    if (i - start < perBucket && !atGap) continue;
    if (atGap) gaps++;
    start = i;
    starts[++count] = i;
  }
  starts[++count] = samples;
  return { samples, count, per_bucket: perBucket, starts: starts.subarray(0, count + 1) };
}

function computeBucketSpans(stamps: Float64Array, { starts, count }: Buckets) {
  const first = new Float64Array(count);
  const last = new Float64Array(count);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let bucket = 0; bucket < count; bucket++) {
    const end = starts === null ? bucket + 1 : starts[bucket + 1];
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = starts === null ? bucket : starts[bucket]; i < end; i++) {
      if (stamps[i] < low) low = stamps[i];
      if (stamps[i] > high) high = stamps[i];
    }
    first[bucket] = low;
    last[bucket] = high;
    if (low < from) from = low;
    if (high > to) to = high;
  }
  return { first, last, from, to };
}
