import type { MotionColumn, MotionSource } from './motion-source.ts';
import { quantiles } from './quantile.ts';

/** Rows in time order, divided into gap-free ranges. */
export interface Rows {
  /** Row index by position in time order; `null` if the rows are in order. */
  readonly order: Int32Array | null;
  /** Positions `from..to` (exclusive) of each range without a clock gap or a missing value. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** Median time between rows; 0 for a single row. */
  readonly step_s: number;
  /** Columns in use (complete within every range), and columns with too few values. */
  readonly columns: readonly MotionColumn[];
  readonly sparse_columns: readonly MotionColumn[];
  readonly out_of_order: number;
}

/** Minimum duration of a gap; a gap is also at least `gapSteps` median steps long. */
const minGap_s = 0.25;
const gapSteps = 5;
/** Minimum fraction of rows with values for a dimension to be in use. */
const minFilledFraction = 0.5;

/** Returns the order of a source's rows by time and their gap-free ranges; leaves out columns that are sparse. */
export function orderRows({ time_s, columns, streams }: MotionSource): Rows {
  const count = streams.reduce(
    (least, { series }) => Math.min(least, Math.floor(series!.values.length / series!.dims)),
    time_s.length,
  );
  const { kept, sparse: sparse_columns, missing } = findColumnsInUse(columns, count);
  const stamps = stampInfo(time_s, count);
  const ranges =
    kept.length === 0 ? [] : missing === null ? stamps.ranges : findRanges(time_s, stamps, missing);
  const { order, out_of_order, step_s } = stamps;
  return { order, ranges, step_s, columns: kept, sparse_columns, out_of_order };
}

/** Properties of timestamps alone. */
interface StampInfo extends Pick<Rows, 'order' | 'out_of_order' | 'step_s' | 'ranges'> {
  /** Number of rows used. */
  readonly count: number;
}

/** Cache by timestamps, which streams of an episode mostly share. */
const stampCache = new WeakMap<Float64Array, StampInfo>();

function stampInfo(time_s: Float64Array, count: number): StampInfo {
  const cached = stampCache.get(time_s);
  if (cached?.count === count) return cached;
  const { order, out_of_order } = sortRows(time_s, count);
  const step_s = medianStep(time_s, order, count);
  const usual = { count, order, out_of_order, step_s };
  const stamps = { ...usual, ranges: findRanges(time_s, usual, null) };
  stampCache.set(time_s, stamps);
  return stamps;
}

/** Returns the ranges without a clock gap and without rows marked in `missing`. */
function findRanges(
  time_s: Float64Array,
  { count, order, step_s }: Omit<StampInfo, 'ranges'>,
  missing: Uint8Array | null,
): [number, number][] {
  const rows = order === null ? count : order.length;
  const hole_s = Math.max(minGap_s, gapSteps * step_s);
  const ranges: [number, number][] = [];
  let from = 0;
  let cached = Number.NaN;
  for (let place = 0; place < rows; place++) {
    const row = order === null ? place : order[place];
    const now = time_s[row];
    const isMissing = missing !== null && missing[row] === 1;
    if (now - cached > hole_s || isMissing) {
      if (place > from) ranges.push([from, place]);
      from = isMissing ? place + 1 : place;
    }
    cached = now;
  }
  if (rows > from) ranges.push([from, rows]);
  return ranges;
}

/**
 * Returns the time order of rows; `null` if the timestamps ascend. Rows without a finite timestamp are left out;
 * equal timestamps keep their recorded order.
 */
function sortRows(time_s: Float64Array, count: number): { order: Int32Array | null; out_of_order: number } {
  let wrong = 0;
  let cached = -Infinity;
  for (let i = 0; i < count; i++) {
    const now = time_s[i];
    if (!(now >= cached) || now === Infinity) wrong++;
    cached = now;
  }
  if (wrong === 0) return { order: null, out_of_order: 0 };
  const order = Int32Array.from({ length: count }, (_, i) => i).filter((i) => Number.isFinite(time_s[i]));
  order.sort((a, b) => time_s[a] - time_s[b] || a - b);
  return { order, out_of_order: wrong };
}

function medianStep(time_s: Float64Array, order: Int32Array | null, count: number): number {
  const at = (place: number) => time_s[order === null ? place : order[place]];
  const rows = order === null ? count : order.length;
  const stride = Math.max(1, Math.ceil(rows / 1024));
  const steps = new Float64Array(Math.ceil(rows / stride));
  let found = 0;
  for (let place = 1; place < rows; place += stride) {
    const step = at(place) - at(place - 1);
    if (step > 0) steps[found++] = step;
  }
  return quantiles(steps, [0, found], [0.5])[0];
}

interface ColumnUse {
  readonly kept: readonly MotionColumn[];
  readonly sparse: readonly MotionColumn[];
  /** 1 for each row in which a used column has no value; `null` if all are complete. */
  readonly missing: Uint8Array | null;
}

function findColumnsInUse(columns: readonly MotionColumn[], count: number): ColumnUse {
  const complete = new Map([...new Set(columns.map(({ stream }) => stream))].map((s) => [s, isComplete(s)]));
  if (columns.every(({ stream }) => complete.get(stream)))
    return { kept: columns, sparse: [], missing: null };
  const filled = (column: MotionColumn) =>
    complete.get(column.stream) === true || countFiniteRows(column, count) >= minFilledFraction * count;
  const kept = columns.filter(filled);
  const missing = new Uint8Array(count);
  for (const { stream, dimension } of kept) {
    if (complete.get(stream)) continue;
    const { values, dims } = stream.series!;
    for (let i = 0, at = dimension; i < count; i++, at += dims)
      if (values[at] - values[at] !== 0) missing[i] = 1;
  }
  return { kept, sparse: columns.filter((column) => !kept.includes(column)), missing };
}

/** Returns whether all values are finite, by one sum: x · 0 is 0 unless x is NaN or infinite. */
function isComplete({ series }: MotionColumn['stream']): boolean {
  const { values } = series!;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * 0;
  return sum === 0;
}

function countFiniteRows({ stream, dimension }: MotionColumn, count: number): number {
  const { values, dims } = stream.series!;
  let finite = 0;
  for (let i = 0, at = dimension; i < count; i++, at += dims) if (values[at] - values[at] === 0) finite++;
  return finite;
}
