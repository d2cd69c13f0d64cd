import { type Series, type Stream, timesOf } from '#core/episode';
import { samplesOf } from './columns/columns.ts';
import type { StreamFeatures } from './stream-features.ts';

/**
 * How far a stream moves within rows `from..to`: the largest over its dimensions of (maximum − minimum there) / range
 * over the whole stream; 0 when it stands still. Dimensions in `without` and those that hardly move are left out.
 */
export function movementWithin(
  series: Series,
  { columns, dims }: StreamFeatures,
  from: number,
  to: number,
  leastRange: number,
  without: ReadonlySet<number>,
): number {
  let most = 0;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > leastRange) || without.has(d)) continue;
    most = Math.max(most, rangeWithin(series, d, from, to) / range);
  }
  return most;
}

/** Maximum − minimum of one dimension within rows `from..to`. */
export function rangeWithin({ values, dims }: Series, d: number, from: number, to: number): number {
  let low = Infinity;
  let high = -Infinity;
  for (let i = from; i <= to; i++) {
    const x = values[i * dims + d];
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return high > low ? high - low : 0;
}

/** The row of `other` nearest to a row of `stream`: by time where both have clocks, else by place. */
export function rowIn(other: Stream, stream: Stream, row: number): number {
  const count = other.series === undefined ? other.sample_count : samplesOf(other.series);
  const times = timesOf(stream);
  const others = timesOf(other);
  if (stream.sample_count === count && (times === others || times === null || others === null)) return row;
  if (times === null || others === null)
    return Math.round((row / Math.max(1, stream.sample_count - 1)) * Math.max(0, count - 1));
  return Math.max(0, Math.min(count - 1, lowerBound(others, times[row])));
}

/** First index whose value is at least `value`; ascending order is assumed, any order ends. */
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
