import { clockOf, type Stream } from '#core/episode';
import { type ClockFeatures, clockFeatures } from './clocks/clock-features.ts';
import { type ColumnFeatures, columnFeatures } from './columns/column-features.ts';
import { samplesOf } from './columns/columns.ts';

/** One pass over a numeric stream and its clock, shared by every check. Arrays have one entry a dimension. */
export interface StreamFeatures {
  readonly samples: number;
  readonly dims: number;
  /** Median of the positive steps of the chosen clock in seconds; null without a clock or with fewer than two samples. */
  readonly median_step_s: number | null;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly std: Float64Array;
  /** Values that are NaN or infinite, over all dimensions. */
  readonly non_finite: number;
  /** The rest of what the pass over the numbers found. */
  readonly columns: ColumnFeatures;
  /** What the chosen clock's stamps say; null without a clock. */
  readonly clock: ClockFeatures | null;
}

const noSeries = { values: new Float64Array(0), dims: 0 };

/** A stream without numbers has zero dimensions; its clock is still measured. */
export function streamFeatures(
  stream: Stream,
  clocks: (stream: Stream) => ClockFeatures | null,
): StreamFeatures {
  const series = stream.series ?? noSeries;
  const columns = columnFeatures(series);
  const clock = clocks(stream);
  let nonFinite = 0;
  for (let d = 0; d < series.dims; d++) nonFinite += columns.non_finite[d];
  return {
    samples: stream.series === undefined ? stream.sample_count : samplesOf(series),
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

/** Features of a stream's chosen clock; streams that share one array of stamps (columns of one table) share them. */
export function rememberClocks(): (stream: Stream) => ClockFeatures | null {
  const known = new Map<Float64Array, ClockFeatures>();
  return (stream) => {
    const clock = clockOf(stream);
    if (clock === null) return null;
    const kept = known.get(clock.time_s);
    if (kept !== undefined) return kept;
    const features = clockFeatures(clock);
    known.set(clock.time_s, features);
    return features;
  };
}
