import type { MotionColumn, MotionSource } from './motion-source.ts';
import { quantiles } from './quantile.ts';

/** Rows of a recording in the order of their stamps, in ranges without a hole. */
export interface Rows {
  /** Place in the order of time → row; null where the rows are in that order already. */
  readonly order: Int32Array | null;
  /** Places `from..to` (exclusive) of each range: no hole of the clock and no number missing within. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** The usual time from a row to the next; 0 where there is one row only. */
  readonly step_s: number;
  /** Columns with too few numbers to speak of a motion; the others are complete within every range. */
  readonly kept: readonly MotionColumn[];
  readonly sparse: readonly MotionColumn[];
  readonly out_of_order: number;
}

/** A hole is five usual steps long, and at least this. */
const leastHole_s = 0.25;
const holeSteps = 5;
/** A dimension that has numbers in fewer rows than this is not in use. */
const leastFilled = 0.5;

export function rowsOf({ time_s, columns, streams }: MotionSource): Rows {
  const count = streams.reduce(
    (least, { series }) => Math.min(least, Math.floor(series!.values.length / series!.dims)),
    time_s.length,
  );
  const { kept, sparse, missing } = fillOf(columns, count);
  const stamps = stampsOf(time_s, count);
  const ranges =
    kept.length === 0 ? [] : missing === null ? stamps.ranges : rangesOf(time_s, stamps, missing);
  const { order, out_of_order, step_s } = stamps;
  return { order, ranges, step_s, kept, sparse, out_of_order };
}

/** What stamps say by themselves. */
interface Stamps extends Pick<Rows, 'order' | 'out_of_order' | 'step_s' | 'ranges'> {
  /** Of the first so many rows. */
  readonly count: number;
}

/** Streams of one episode mostly share their stamps. */
const known = new WeakMap<Float64Array, Stamps>();

function stampsOf(time_s: Float64Array, count: number): Stamps {
  const before = known.get(time_s);
  if (before?.count === count) return before;
  const { order, out_of_order } = orderOf(time_s, count);
  const step_s = usualStep(time_s, order, count);
  const usual = { count, order, out_of_order, step_s };
  const stamps = { ...usual, ranges: rangesOf(time_s, usual, null) };
  known.set(time_s, stamps);
  return stamps;
}

/** Ranges without a hole of the clock and without a row in which a number is `missing`. */
function rangesOf(
  time_s: Float64Array,
  { count, order, step_s }: Omit<Stamps, 'ranges'>,
  missing: Uint8Array | null,
): [number, number][] {
  const rows = order === null ? count : order.length;
  const hole_s = Math.max(leastHole_s, holeSteps * step_s);
  const ranges: [number, number][] = [];
  let from = 0;
  let before = Number.NaN;
  for (let place = 0; place < rows; place++) {
    const row = order === null ? place : order[place];
    const now = time_s[row];
    const isMissing = missing !== null && missing[row] === 1;
    if (now - before > hole_s || isMissing) {
      if (place > from) ranges.push([from, place]);
      from = isMissing ? place + 1 : place;
    }
    before = now;
  }
  if (rows > from) ranges.push([from, rows]);
  return ranges;
}

/** Null where the stamps rise already; rows without a stamp are left out, the rest sorted, equal stamps as recorded. */
function orderOf(time_s: Float64Array, count: number): { order: Int32Array | null; out_of_order: number } {
  let wrong = 0;
  let before = -Infinity;
  for (let i = 0; i < count; i++) {
    const now = time_s[i];
    if (!(now >= before) || now === Infinity) wrong++;
    before = now;
  }
  if (wrong === 0) return { order: null, out_of_order: 0 };
  const order = Int32Array.from({ length: count }, (_, i) => i).filter((i) => Number.isFinite(time_s[i]));
  order.sort((a, b) => time_s[a] - time_s[b] || a - b);
  return { order, out_of_order: wrong };
}

function usualStep(time_s: Float64Array, order: Int32Array | null, count: number): number {
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

interface Fill {
  readonly kept: readonly MotionColumn[];
  readonly sparse: readonly MotionColumn[];
  /** 1 for each row in which a kept column has no number; null where none has that. */
  readonly missing: Uint8Array | null;
}

function fillOf(columns: readonly MotionColumn[], count: number): Fill {
  const complete = new Map([...new Set(columns.map(({ stream }) => stream))].map((s) => [s, isComplete(s)]));
  if (columns.every(({ stream }) => complete.get(stream)))
    return { kept: columns, sparse: [], missing: null };
  const filled = (column: MotionColumn) =>
    complete.get(column.stream) === true || finiteRows(column, count) >= leastFilled * count;
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

/** In one sum: a number times zero is zero unless it is NaN or infinite. */
function isComplete({ series }: MotionColumn['stream']): boolean {
  const { values } = series!;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * 0;
  return sum === 0;
}

function finiteRows({ stream, dimension }: MotionColumn, count: number): number {
  const { values, dims } = stream.series!;
  let finite = 0;
  for (let i = 0, at = dimension; i < count; i++, at += dims) if (values[at] - values[at] === 0) finite++;
  return finite;
}
