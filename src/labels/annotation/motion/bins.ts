import type { MotionColumn, MotionSource } from './motion-source.ts';
import { orderRows, type Rows } from './rows.ts';

/**
 * Rows averaged in bins of whole rows, so that fast recordings cost no more than slow ones and noise averages out.
 * Nothing is interpolated, and no bin spans a gap.
 */
export interface Bins {
  readonly count: number;
  /** Timestamp of the first row of a bin, and of the end of its last row. */
  readonly from_s: Float64Array;
  readonly to_s: Float64Array;
  /** Midpoint between the first and last timestamp of the bin. */
  readonly middle_s: Float64Array;
  readonly columns: readonly MotionColumn[];
  /** Mean of column c in bin b at `means[c * count + b]`. */
  readonly means: Float64Array;
  /** Bins `from..to` (exclusive) of each gap-free range. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly rows_per_bin: number;
  readonly rows: Rows;
}

/** Target bin duration, short enough for the quickest hand movements. */
const targetBin_s = 0.04;

/**
 * Averages the columns of a motion source over bins of about 40 ms, then unwraps angles and aligns quaternion signs
 * from bin to bin; no bin is empty or spans a gap.
 */
export function computeBins(source: MotionSource): Bins {
  const rows = orderRows(source);
  const { rows_per_bin, edges, times } = binLayout(source.time_s, rows);
  const count = edges.starts.length;
  const means = new Float64Array(count * rows.columns.length);
  rows.columns.forEach((column, c) => {
    averageColumn(means.subarray(c * count, (c + 1) * count), column, rows.order, edges);
  });
  removeJumps(means, rows.columns, count, edges.ranges);
  return { count, ...times, columns: rows.columns, means, ranges: edges.ranges, rows_per_bin, rows };
}

/** Layout of the bins, independent of the columns. */
interface BinLayout {
  readonly rows_per_bin: number;
  readonly edges: BinEdges;
  readonly times: Pick<Bins, 'from_s' | 'to_s' | 'middle_s'>;
}

/** Cache by row ranges, which most motions of an episode share. */
const layoutCache = new WeakMap<Rows['ranges'], BinLayout>();

function binLayout(time_s: Float64Array, rows: Rows): BinLayout {
  let frames = layoutCache.get(rows.ranges);
  if (frames === undefined) {
    const rows_per_bin = rows.step_s > 0 ? Math.max(1, Math.round(targetBin_s / rows.step_s)) : 1;
    const edges = computeEdges(rows, rows_per_bin);
    frames = { rows_per_bin, edges, times: binTimes(time_s, rows, edges) };
    layoutCache.set(rows.ranges, frames);
  }
  return frames;
}

interface BinEdges {
  /** Index of the first row of each bin, and of the row after its last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly ranges: readonly (readonly [number, number])[];
}

/** Divides ranges into bins of `size` rows; a remainder of less than half a bin joins the last bin. */
function computeEdges({ ranges }: Rows, size: number): BinEdges {
  const counts = ranges.map(([from, to]) => Math.max(1, Math.round((to - from) / size)));
  const count = counts.reduce((sum, own) => sum + own, 0);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  let bin = 0;
  const binned = ranges.map(([from, to], i): [number, number] => {
    const first = bin;
    for (let k = 0; k < counts[i]; k++, bin++) {
      starts[bin] = from + k * size;
      ends[bin] = k === counts[i] - 1 ? to : from + (k + 1) * size;
    }
    return [first, bin];
  });
  return { starts, ends, ranges: binned };
}

function binTimes(
  time_s: Float64Array,
  { order, step_s }: Rows,
  { starts, ends, ranges }: BinEdges,
): Pick<Bins, 'from_s' | 'to_s' | 'middle_s'> {
  const count = starts.length;
  const [from_s, to_s, middle_s] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  const at = (place: number) => time_s[order === null ? place : order[place]];
  for (const [first, last] of ranges)
    for (let bin = first; bin < last; bin++) {
      const start = starts[bin];
      const end = ends[bin];
      from_s[bin] = at(start);
      to_s[bin] = bin + 1 < last ? at(end) : at(end - 1) + step_s;
      middle_s[bin] = (at(start) + at(end - 1)) / 2;
    }
  return { from_s, to_s, middle_s };
}

function averageColumn(
  out: Float64Array,
  { stream, dimension }: MotionColumn,
  order: Int32Array | null,
  { starts, ends }: BinEdges,
): void {
  const { values, dims } = stream.series!;
  for (let bin = 0; bin < starts.length; bin++) {
    const start = starts[bin];
    const end = ends[bin];
    let sum = 0;
    if (order === null)
      for (let at = start * dims + dimension, i = start; i < end; i++, at += dims) sum += values[at];
    else for (let i = start; i < end; i++) sum += values[order[i] * dims + dimension];
    out[bin] = sum / (end - start);
  }
}

type Ranges = readonly (readonly [number, number])[];

/**
 * Removes jumps that are no motion from bin means, in place: angles that wrap around, and quaternions that flip to
 * their negative, which is the same orientation.
 */
function removeJumps(
  means: Float64Array,
  columns: readonly MotionColumn[],
  count: number,
  ranges: Ranges,
): void {
  columns.forEach((column, c) => {
    const circle = fullCircle(column);
    if (circle > 0) unwrap(means.subarray(c * count, (c + 1) * count), circle, ranges);
  });
  for (let c = 0; c + 3 < columns.length; c++) {
    if (!isQuaternion(columns, c)) continue;
    alignSigns(means.subarray(c * count, (c + 4) * count), count, ranges);
    c += 3;
  }
}

function fullCircle({ nature, stream: { unit } }: MotionColumn): number {
  if (nature === 'rate') return 0;
  return unit.unit === 'rad' ? 2 * Math.PI : unit.unit === 'deg' ? 360 : 0;
}

function unwrap(x: Float64Array, circle: number, ranges: Ranges): void {
  for (const [from, to] of ranges) {
    let turns = 0;
    let before = x[from];
    for (let b = from + 1; b < to; b++) {
      const now = x[b];
      if (now - before > 0.6 * circle) turns--;
      else if (before - now > 0.6 * circle) turns++;
      before = now;
      x[b] = now + turns * circle;
    }
  }
}

const orientationNames = /orient|quat|rotation|^q[wxyz]?$|^q\[/i;

/** Returns whether four consecutive columns of a stream hold a quaternion, by the unit or the names. */
function isQuaternion(columns: readonly MotionColumn[], c: number): boolean {
  const { stream, dimension } = columns[c];
  if (columns[c + 3].stream !== stream || columns[c + 3].dimension !== dimension + 3) return false;
  if (stream.unit.unit === 'quaternion') return dimension % 4 === 0;
  const named = stream.names?.slice(dimension, dimension + 4) ?? [];
  return named.length === 4 && named.every((name) => orientationNames.test(name));
}

function alignSigns(x: Float64Array, count: number, ranges: Ranges): void {
  for (const [from, to] of ranges)
    for (let b = from + 1; b < to; b++) {
      let product = 0;
      for (let at = b; at < 4 * count; at += count) product += x[at - 1] * x[at];
      if (product < 0) for (let at = b; at < 4 * count; at += count) x[at] = -x[at];
    }
}
