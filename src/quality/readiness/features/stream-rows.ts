import { type Series, type Stream, timesOf } from '#core/episode';
import { countSamples } from './columns.ts';
import { roundFinite } from './numeric.ts';
import type { StreamFeatures } from './stream-features.ts';

/**
 * Returns how far a stream moves within rows `from..to`, as the largest share of the range of a dimension, 0 to 1;
 * ignores `excluded` dimensions and ranges up to `minRange`.
 */
export function computeMovement(
  series: Series,
  { columns, dims }: StreamFeatures,
  from: number,
  to: number,
  minRange: number,
  excluded: ReadonlySet<number>,
): number {
  let largest = 0;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > minRange) || excluded.has(d)) continue;
    largest = Math.max(largest, computeRange(series, d, from, to) / range);
  }
  return largest;
}

/** Returns maximum − minimum of one dimension within rows `from..to`; 0 if no value is finite. */
export function computeRange({ values, dims }: Series, d: number, from: number, to: number): number {
  let low = Infinity;
  let high = -Infinity;
  for (let i = from; i <= to; i++) {
    const x = values[i * dims + d];
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return high > low ? high - low : 0;
}

/**
 * Returns the row of `other` that corresponds to a row of `stream`: the first at or after its time if both have
 * clocks, else by relative position. Streams with equal length and the same or no clock correspond row by row.
 */
export function matchRow(other: Stream, stream: Stream, row: number): number {
  const count = other.series === undefined ? other.sample_count : countSamples(other.series);
  const times = timesOf(stream);
  const others = timesOf(other);
  if (stream.sample_count === count && (times === others || times === null || others === null)) return row;
  if (times === null || others === null)
    return Math.round((row / Math.max(1, stream.sample_count - 1)) * Math.max(0, count - 1));
  return Math.max(0, Math.min(count - 1, lowerBound(others, times[row])));
}

/**
 * Returns the first index whose value is at least `value`, by binary search in ascending values;
 * `sorted.length` if there is none.
 */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the time of a row in seconds: its timestamp, or row / declared rate without a clock. `null` if
 * neither is known or the timestamp is not finite.
 */
function computeRowTime(stream: Stream, row: number): number | null {
  const times = timesOf(stream);
  const at = Math.min(Math.max(0, row), Math.max(0, stream.sample_count - 1));
  const time_s = times === null ? computeTimeAtRate(stream, at) : times[at];
  return time_s !== undefined && Number.isFinite(time_s) ? roundFinite(time_s, 9) : null;
}

function computeTimeAtRate(stream: Stream, row: number): number {
  return stream.declared_rate_hz === null ? NaN : row / stream.declared_rate_hz;
}

/** Converts spans of rows to `[from, to]` in seconds and returns the first 16; spans without a time are omitted. */
export function spansInSeconds(
  stream: Stream,
  spans: readonly { readonly from: number; readonly to: number }[],
): [number, number][] {
  const out: [number, number][] = [];
  for (const span of spans) {
    const from_s = computeRowTime(stream, span.from);
    const to_s = computeRowTime(stream, span.to);
    if (from_s === null || to_s === null || out.length === 16) continue;
    out.push(from_s <= to_s ? [from_s, to_s] : [to_s, from_s]);
  }
  return out;
}
