import { clockOf, type Stream } from '#core/episode';
import { type ClockFeatures, computeClockFeatures } from './clock-features.ts';
import { type ColumnFeatures, computeColumnFeatures } from './column-features.ts';
import { countSamples } from './columns.ts';

/**
 * Statistics of a numeric stream and its clock, shared by all checks. Arrays have one entry per dimension.
 */
export interface StreamFeatures {
  readonly samples: number;
  readonly dims: number;
  /**
   * Median of the positive steps of the chosen clock in seconds; `null` without a clock or with fewer than
   * two samples.
   */
  readonly median_step_s: number | null;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly std: Float64Array;
  /** Number of NaN or infinite values, over all dimensions. */
  readonly non_finite: number;
  /** All column statistics. */
  readonly columns: ColumnFeatures;
  /** Statistics of the chosen clock; `null` without a clock. */
  readonly clock: ClockFeatures | null;
}

const emptySeries = { values: new Float64Array(0), dims: 0 };

/**
 * Computes the statistics of a stream's values and of its clock; without values it has zero dimensions, without a
 * clock `clock` is `null`.
 */
export function computeStreamFeatures(
  stream: Stream,
  clocks: (stream: Stream) => ClockFeatures | null,
): StreamFeatures {
  const series = stream.series ?? emptySeries;
  const columns = computeColumnFeatures(series);
  const clock = clocks(stream);
  let nonFinite = 0;
  for (let d = 0; d < series.dims; d++) nonFinite += columns.non_finite[d];
  return {
    samples: stream.series === undefined ? stream.sample_count : countSamples(series),
    dims: series.dims,
    median_step_s: clock === null || clock.median_step_s === 0 ? null : clock.median_step_s,
    minimum: columns.minimum,
    maximum: columns.maximum,
    mean: columns.mean,
    std: columns.std,
    non_finite: nonFinite,
    columns,
    clock,
  };
}

/**
 * Creates a cached function that returns the statistics of a stream's chosen clock, or `null` without a
 * clock. Streams that share one timestamp array (columns of one table) share the result.
 */
export function createClockCache(): (stream: Stream) => ClockFeatures | null {
  const featuresByTimes = new Map<Float64Array, ClockFeatures>();
  return (stream) => {
    const clock = clockOf(stream);
    if (clock === null) return null;
    const cached = featuresByTimes.get(clock.time_s);
    if (cached !== undefined) return cached;
    const features = computeClockFeatures(clock);
    featuresByTimes.set(clock.time_s, features);
    return features;
  };
}

/** Minimum fraction of repeated values for a stream to count as stepped. */
const minRepeatShare = 0.5;

/**
 * Returns `true` if every dimension repeats its value in most rows, as keyboard commands and slow policies
 * do.
 */
export function isStepped({ columns, samples, dims }: StreamFeatures): boolean {
  for (let d = 0; d < dims; d++) if (columns.zero_steps[d] <= minRepeatShare * samples) return false;
  return dims > 0;
}
