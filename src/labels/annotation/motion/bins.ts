import type { MotionColumn, MotionSource } from './motion-source.ts';
import { type Rows, rowsOf } from './rows.ts';
import { straighten } from './straighten.ts';

/**
 * Rows averaged in bins of whole rows, so that fast recordings cost what slow ones do and their noise averages out;
 * nothing is interpolated, and no bin reaches over a hole.
 */
export interface Bins {
  readonly count: number;
  /** Stamp of the first row of a bin, and of what follows its last. */
  readonly from_s: Float64Array;
  readonly to_s: Float64Array;
  /** Mean stamp of its rows. */
  readonly middle_s: Float64Array;
  readonly columns: readonly MotionColumn[];
  /** Mean of column c in bin b at `means[c * count + b]`. */
  readonly means: Float64Array;
  /** Bins `from..to` (exclusive) of each range. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly rows_per_bin: number;
  readonly rows: Rows;
}

/** As short as the shortest act of a hand needs, and no shorter. */
const bin_s = 0.04;

export function binsOf(source: MotionSource): Bins {
  const rows = rowsOf(source);
  const { rows_per_bin, edges, times } = framesOf(source.time_s, rows);
  const count = edges.starts.length;
  const means = new Float64Array(count * rows.kept.length);
  rows.kept.forEach((column, c) => {
    averageInto(means.subarray(c * count, (c + 1) * count), column, rows.order, edges);
  });
  straighten(means, rows.kept, count, edges.ranges);
  return { count, ...times, columns: rows.kept, means, ranges: edges.ranges, rows_per_bin, rows };
}

/** Where bins lie, whatever is in them. */
interface Frames {
  readonly rows_per_bin: number;
  readonly edges: Edges;
  readonly times: Pick<Bins, 'from_s' | 'to_s' | 'middle_s'>;
}

/** By the ranges of rows: motions of one episode mostly share them. */
const known = new WeakMap<Rows['ranges'], Frames>();

function framesOf(time_s: Float64Array, rows: Rows): Frames {
  let frames = known.get(rows.ranges);
  if (frames === undefined) {
    const rows_per_bin = rows.step_s > 0 ? Math.max(1, Math.round(bin_s / rows.step_s)) : 1;
    const edges = edgesOf(rows, rows_per_bin);
    frames = { rows_per_bin, edges, times: timesOfBins(time_s, rows, edges) };
    known.set(rows.ranges, frames);
  }
  return frames;
}

interface Edges {
  /** Places of the first and after the last row of each bin. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly ranges: readonly (readonly [number, number])[];
}

/** The last bin of a range takes what is left where that is less than half a bin. */
function edgesOf({ ranges }: Rows, size: number): Edges {
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

function timesOfBins(
  time_s: Float64Array,
  { order, step_s }: Rows,
  { starts, ends, ranges }: Edges,
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

function averageInto(
  out: Float64Array,
  { stream, dimension }: MotionColumn,
  order: Int32Array | null,
  { starts, ends }: Edges,
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
