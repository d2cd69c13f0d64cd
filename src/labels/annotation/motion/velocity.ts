import type { Bins } from './bins.ts';
import type { MotionColumn } from './motion-source.ts';
import { quantiles } from './quantile.ts';

/** One dimension that moves: its velocity, in spans of its own range a second, so that units cancel. */
export interface MovingColumn {
  readonly column: MotionColumn;
  /** One a bin. */
  readonly velocity: Float64Array;
  /** What one span is, in the recording's own numbers: for a rate, its 98th percentile, so that velocity is a share. */
  readonly span: number;
  /** Its own range, which is less than `span` where it hardly moves beside the widest of its stream. */
  readonly own_span: number;
  /** How fast its noise alone seems to move. */
  readonly noise: number;
}

/** Noise alone spans five of its deviations, an idle encoder flickers between a few codes. */
const leastSpan = { deviations: 8, codes: 3.5 };
/** A dimension that hardly moves beside the widest one of its stream counts for less, not for as much. */
const widestShare = 0.1;

/** A dimension and how far it goes. */
export interface DimensionSpan extends Span {
  readonly column: MotionColumn;
  /** Means of the bins. */
  readonly means: Float64Array;
}

/** How far each dimension goes, of those that go beyond their noise. */
export function dimensionSpans(bins: Bins): DimensionSpan[] {
  const { columns, count } = bins;
  const all = columns.map((column, c) => {
    const means = bins.means.subarray(c * count, (c + 1) * count);
    return { column, means, ...spanOf(column, means, bins) };
  });
  return all.filter(
    ({ span, deviation, code }) =>
      span > leastSpan.deviations * deviation && span > leastSpan.codes * code && span > 0,
  );
}

/** Their velocities, taken over `slope_s` before and after each bin. */
export function movingColumns(bins: Bins, spans: readonly DimensionSpan[], slope_s: number): MovingColumn[] {
  const widest = new Map<string, number>();
  for (const { column, span } of spans)
    widest.set(groupOf(column), Math.max(widest.get(groupOf(column)) ?? 0, span));
  const window = windowOf(bins, slope_s);
  const slopes = slopesOf(bins, window);
  return spans.map(({ column, means, span: own_span, deviation }) => {
    const span = Math.max(own_span, widestShare * widest.get(groupOf(column))!);
    const velocity = new Float64Array(bins.count);
    if (column.nature === 'rate') smoothInto(velocity, means, slopes, 1 / span);
    else slopeInto(velocity, means, slopes, 1 / span);
    const averaged = deviation / Math.sqrt(window) / span;
    const noise = column.nature === 'rate' ? averaged : (Math.SQRT2 * averaged) / slopeTime(bins, window);
    return { column, velocity, span, own_span, noise };
  });
}

/** Dimensions of one stream compare with one another, unless it says that its units are mixed. */
function groupOf({ stream, dimension }: MotionColumn): string {
  return stream.unit.unit === 'mixed' ? `${stream.id} ${dimension}` : stream.id;
}

function windowOf({ count, from_s, to_s, ranges }: Bins, slope_s: number): number {
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
  /** 1st to 99th percentile, so that single spikes do not widen it; for a rate, the 98th of its size. */
  readonly span: number;
  /** Standard deviation of the noise, by the median of second differences, which slow motion hardly has. */
  readonly deviation: number;
  /** Smallest step that is not zero. */
  readonly code: number;
}

const bends = new Float64Array(256);

function spanOf({ nature }: MotionColumn, x: Float64Array, { count, rows_per_bin }: Bins): Span {
  const [low, high] =
    nature === 'rate'
      ? [0, quantiles(x, [0, count], [0.98], Math.abs)[0]]
      : quantiles(x, [0, count], [0.01, 0.99]);
  const stride = Math.max(1, Math.ceil(count / bends.length));
  let found = 0;
  let code = Infinity;
  for (let b = 1; b < count - 1; b += stride) {
    const step = Math.abs(x[b] - x[b - 1]);
    if (step > 0 && step < code) code = step;
    bends[found++] = Math.abs(x[b + 1] - 2 * x[b] + x[b - 1]);
  }
  const [bend] = quantiles(bends, [0, found], [0.5]);
  // A median of |second differences| of white noise is 0.6745 * sqrt(6) of its deviation.
  return {
    span: high - low,
    deviation: bend / 1.652,
    code: code === Infinity || rows_per_bin > 1 ? 0 : code,
  };
}

/**
 * What a slope at each bin is taken between: the means of the bins before it and of those after it, each over
 * `slope_s`; at the ends of a range the bin itself stands for the side that is missing. Alike for every dimension.
 */
interface Slopes {
  /** Bins `before..until` (exclusive) and `after..to` (exclusive). */
  readonly before: Int32Array;
  readonly until: Int32Array;
  readonly after: Int32Array;
  readonly to: Int32Array;
  /** One over their number, and over the time between both means; 0 where there is none. */
  readonly earlier: Float64Array;
  readonly later: Float64Array;
  /** Room for the running sums of one dimension at a time. */
  readonly sums: Float64Array;
}

/** By the stamps they are taken at: motions of one episode mostly share them. */
const known = new WeakMap<Float64Array, Map<number, Slopes>>();

function slopesOf(bins: Bins, window: number): Slopes {
  const byWindow = known.get(bins.middle_s) ?? new Map<number, Slopes>();
  const slopes = byWindow.get(window) ?? measureSlopes(bins, window);
  known.set(bins.middle_s, byWindow.set(window, slopes));
  return slopes;
}

function measureSlopes({ count, middle_s, ranges }: Bins, window: number): Slopes {
  const [before, until] = [new Int32Array(count), new Int32Array(count)];
  const [after, to] = [new Int32Array(count), new Int32Array(count)];
  const [earlier, later] = [new Float64Array(count), new Float64Array(count)];
  const sums = new Float64Array(count + 1);
  sumInto(sums, middle_s);
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

/** By running sums, so that the cost does not grow with the window. */
function slopeInto(out: Float64Array, x: Float64Array, slopes: Slopes, factor: number): void {
  const { before, until, after, to, earlier, later, sums } = slopes;
  sumInto(sums, x);
  for (let b = 0; b < out.length; b++)
    out[b] =
      ((sums[to[b]] - sums[after[b]]) * later[b] - (sums[until[b]] - sums[before[b]]) * earlier[b]) * factor;
}

/** The mean over as long as a slope is taken. */
function smoothInto(out: Float64Array, x: Float64Array, { before, sums, to }: Slopes, factor: number): void {
  sumInto(sums, x);
  const origin = x[0];
  for (let b = 0; b < out.length; b++)
    out[b] = (origin + (sums[to[b]] - sums[before[b]]) / (to[b] - before[b])) * factor;
}

/** Sums of all before each place, less the first number of each, so that large numbers cost no digits; in `sums`. */
function sumInto(sums: Float64Array, x: Float64Array): void {
  const origin = x[0];
  let sum = 0;
  sums[0] = 0;
  for (let b = 0; b < x.length; b++) {
    sum += x[b] - origin;
    sums[b + 1] = sum;
  }
}
