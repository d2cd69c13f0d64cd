import type { Bins } from './bins.ts';
import type { MotionColumn } from './motion-source.ts';
import { quantiles } from './quantile.ts';

/** Velocity of a moving dimension, in spans of its range per second, so that units cancel. */
export interface MovingColumn {
  readonly column: MotionColumn;
  /** One value per bin. */
  readonly velocity: Float64Array;
  /** Size of a span in recorded units. For a rate it is the 98th percentile, so the velocity is a fraction of it. */
  readonly span: number;
  /**
   * The dimension's own range; smaller than `span` if it moves little compared with the widest dimension of its
   * stream.
   */
  readonly own_span: number;
  /** Apparent speed of the noise. */
  readonly noise: number;
}

/**
 * Minimum range of a moving dimension, in noise deviations and in encoder codes: noise spans about five deviations,
 * an idle encoder flickers between a few codes.
 */
const minSpan = { deviations: 8, codes: 3.5 };
/**
 * Minimum span as a fraction of the widest dimension in the stream, so that dimensions that hardly move count for
 * less.
 */
const minWidestFraction = 0.1;

/** Range of a dimension. */
export interface DimensionSpan extends Span {
  readonly column: MotionColumn;
  /** Bin means. */
  readonly means: Float64Array;
}

/** Returns the range, noise and bin means of each dimension that moves beyond its noise, omitting the others. */
export function dimensionSpans(bins: Bins): DimensionSpan[] {
  const { columns, count } = bins;
  const all = columns.map((column, c) => {
    const means = bins.means.subarray(c * count, (c + 1) * count);
    return { column, means, ...measureSpan(column, means, bins) };
  });
  return all.filter(
    ({ span, deviation, code }) =>
      span > minSpan.deviations * deviation && span > minSpan.codes * code && span > 0,
  );
}

/**
 * Returns velocity and noise of each dimension in fractions of its range per second, from slopes over `slope_s`
 * before and after each bin; rates are only smoothed.
 */
export function movingColumns(bins: Bins, spans: readonly DimensionSpan[], slope_s: number): MovingColumn[] {
  const widest = new Map<string, number>();
  for (const { column, span } of spans)
    widest.set(comparisonGroup(column), Math.max(widest.get(comparisonGroup(column)) ?? 0, span));
  const window = windowBins(bins, slope_s);
  const slopes = cachedSlopes(bins, window);
  return spans.map(({ column, means, span: own_span, deviation }) => {
    const span = Math.max(own_span, minWidestFraction * widest.get(comparisonGroup(column))!);
    const velocity = new Float64Array(bins.count);
    if (column.nature === 'rate') writeSmoothed(velocity, means, slopes, 1 / span);
    else writeSlopes(velocity, means, slopes, 1 / span);
    const averaged = deviation / Math.sqrt(window) / span;
    const noise = column.nature === 'rate' ? averaged : (Math.SQRT2 * averaged) / slopeTime(bins, window);
    return { column, velocity, span, own_span, noise };
  });
}

/**
 * Returns the group in which dimensions are comparable: the stream, or the single dimension if the stream mixes
 * units.
 */
function comparisonGroup({ stream, dimension }: MotionColumn): string {
  return stream.unit.unit === 'mixed' ? `${stream.id} ${dimension}` : stream.id;
}

function windowBins({ count, from_s, to_s, ranges }: Bins, slope_s: number): number {
  if (count === 0) return 1;
  const observed_s = ranges.reduce((sum, [from, to]) => sum + to_s[to - 1] - from_s[from], 0);
  const bin_s = observed_s / count;
  return bin_s > 0 ? Math.max(1, Math.round(slope_s / bin_s)) : 1;
}

function slopeTime({ count, from_s, to_s }: Bins, window: number): number {
  const middle = count >> 1;
  const bin_s = count === 0 ? 1 : to_s[middle] - from_s[middle];
  return Math.max(1e-9, bin_s * (window + 1));
}

interface Span {
  /**
   * 1st to 99th percentile, so that spikes do not widen it; for a rate, the 98th percentile of the absolute value.
   */
  readonly span: number;
  /** Standard deviation of the noise, from the median of second differences, which slow motion barely affects. */
  readonly deviation: number;
  /** Smallest non-zero step. */
  readonly code: number;
}

const bendBuffer = new Float64Array(256);

function measureSpan({ nature }: MotionColumn, x: Float64Array, { count, rows_per_bin }: Bins): Span {
  const [low, high] =
    nature === 'rate'
      ? [0, quantiles(x, [0, count], [0.98], Math.abs)[0]]
      : quantiles(x, [0, count], [0.01, 0.99]);
  const stride = Math.max(1, Math.ceil(count / bendBuffer.length));
  let found = 0;
  let code = Infinity;
  for (let b = 1; b < count - 1; b += stride) {
    const step = Math.abs(x[b] - x[b - 1]);
    if (step > 0 && step < code) code = step;
    bendBuffer[found++] = Math.abs(x[b + 1] - 2 * x[b] + x[b - 1]);
  }
  const [bend] = quantiles(bendBuffer, [0, found], [0.5]);
  // The median of |second differences| of white noise is 0.6745 · √6 deviations.
  return {
    span: high - low,
    deviation: bend / 1.652,
    code: code === Infinity || rows_per_bin > 1 ? 0 : code,
  };
}

/**
 * Windows for the slope at each bin: means of the bins before and after it, each over `slope_s`. At the ends of a
 * range, the bin itself replaces the missing side. The same for every dimension.
 */
interface Slopes {
  /** Bins `before..until` (exclusive) and `after..to` (exclusive). */
  readonly before: Int32Array;
  readonly until: Int32Array;
  readonly after: Int32Array;
  readonly to: Int32Array;
  /** 1 / (number of bins · time between both means); 0 if there is no time between them. */
  readonly earlier: Float64Array;
  readonly later: Float64Array;
  /** Buffer for the prefix sums of one dimension. */
  readonly sums: Float64Array;
}

/** Cache by bin midpoints and window, which motions of an episode mostly share. */
const slopeCache = new WeakMap<Float64Array, Map<number, Slopes>>();

function cachedSlopes(bins: Bins, window: number): Slopes {
  const byWindow = slopeCache.get(bins.middle_s) ?? new Map<number, Slopes>();
  const slopes = byWindow.get(window) ?? measureSlopes(bins, window);
  slopeCache.set(bins.middle_s, byWindow.set(window, slopes));
  return slopes;
}

function measureSlopes({ count, middle_s, ranges }: Bins, window: number): Slopes {
  const [before, until] = [new Int32Array(count), new Int32Array(count)];
  const [after, to] = [new Int32Array(count), new Int32Array(count)];
  const [earlier, later] = [new Float64Array(count), new Float64Array(count)];
  const sums = new Float64Array(count + 1);
  writePrefixSums(sums, middle_s);
  for (const [first, last] of ranges)
    for (let b = first; b < last; b++) {
      before[b] = Math.max(first, b - window);
      until[b] = Math.max(b, first + 1);
      after[b] = Math.min(b + 1, last - 1);
      to[b] = Math.min(last, b + window + 1);
      const left = until[b] - before[b];
      const right = to[b] - after[b];
      const time = (sums[to[b]] - sums[after[b]]) / right - (sums[until[b]] - sums[before[b]]) / left;
      earlier[b] = time > 0 ? 1 / (left * time) : 0;
      later[b] = time > 0 ? 1 / (right * time) : 0;
    }
  return { before, until, after, to, earlier, later, sums };
}

/** Writes the slopes into `out`. Prefix sums make the cost independent of the window. */
function writeSlopes(out: Float64Array, x: Float64Array, slopes: Slopes, factor: number): void {
  const { before, until, after, to, earlier, later, sums } = slopes;
  writePrefixSums(sums, x);
  for (let b = 0; b < out.length; b++)
    out[b] =
      ((sums[to[b]] - sums[after[b]]) * later[b] - (sums[until[b]] - sums[before[b]]) * earlier[b]) * factor;
}

/** Writes the moving average over the slope window into `out`. */
function writeSmoothed(
  out: Float64Array,
  x: Float64Array,
  { before, sums, to }: Slopes,
  factor: number,
): void {
  writePrefixSums(sums, x);
  const origin = x[0];
  for (let b = 0; b < out.length; b++)
    out[b] = (origin + (sums[to[b]] - sums[before[b]]) / (to[b] - before[b])) * factor;
}

/** Writes prefix sums into `sums`, relative to the first value to keep precision. */
function writePrefixSums(sums: Float64Array, x: Float64Array): void {
  const origin = x[0];
  let sum = 0;
  sums[0] = 0;
  for (let b = 0; b < x.length; b++) {
    sum += x[b] - origin;
    sums[b + 1] = sum;
  }
}
