import { AssayError } from '#core';
import type { StreamSamples } from '#core/api';
import type { ShardRows } from '#store';
import { shardReader } from '#store/blobs';
import type { StreamTask } from './reader-tasks.ts';

/** Shown at once where none are named; a stream may have thousands. */
const mostDimensions = 64;

/** Reads the window's rows and makes the answer's JSON of them. Throws `not_found`, `invalid_request`. */
export async function readStream(task: StreamTask): Promise<Uint8Array> {
  const { readShardStream } = await shardReader();
  const { shard, stream_id, from, to } = task;
  const bounds = {
    ...(from === null ? {} : { from_s: from }),
    ...(to === null ? {} : { to_s: to }),
  };
  const rows = await readShardStream(shard.path, shard.place, stream_id, bounds);
  return new TextEncoder().encode(JSON.stringify(samplesOf(rows, task)));
}

function samplesOf(rows: ShardRows, task: StreamTask): StreamSamples {
  const { stream, values, dims, time_s, total_rows } = rows;
  const at = time_s ?? Float64Array.from({ length: total_rows }, (_, row) => row);
  const dimensions = wantedDimensions(task, dims);
  const [from, to] = [task.from ?? least(at), task.to ?? greatest(at)];
  const columns = downsample({ values, dims, at }, { from, to, columns: task.columns, dimensions });
  return {
    stream_id: stream.id,
    axis: time_s === null ? 'row' : 'time_s',
    from,
    to,
    rows: columns.rows,
    total_rows,
    at: [...columns.at],
    dims,
    dimensions: columns.dimensions.map(({ min, max, not_finite }, k) => ({
      index: dimensions[k],
      name: stream.names?.[dimensions[k]] ?? null,
      min: [...min],
      max: [...max],
      not_finite: [...not_finite],
    })),
  };
}

function wantedDimensions({ dimensions }: StreamTask, dims: number): readonly number[] {
  if (dimensions === null) return Array.from({ length: Math.min(dims, mostDimensions) }, (_, k) => k);
  const beyond = dimensions.find((dimension) => dimension >= dims);
  if (beyond === undefined) return [...new Set(dimensions)];
  throw new AssayError('invalid_request', `the stream has ${dims} dimensions, none with index ${beyond}`, {
    advice: 'count dimensions from 0',
  });
}

/** 0 for no rows. */
const least = (at: Float64Array): number => at.reduce((a, b) => (b < a ? b : a), at[0] ?? 0);
const greatest = (at: Float64Array): number => at.reduce((a, b) => (b > a ? b : a), at[0] ?? 0);

/** Rows of a stream: `dims` numbers a row, row-major, and where each row lies on the axis, in no promised order. */
export interface Rows {
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
  readonly at: Float64Array;
}

export interface Window {
  /** On the axis, ends included. */
  readonly from: number;
  readonly to: number;
  /** Columns at most. */
  readonly columns: number;
  /** Dimensions wanted. */
  readonly dimensions: readonly number[];
}

/** One column of a picture of a stream: the rows that fall on it. */
interface Columns {
  /** Where each column's first row lies; ascending. */
  readonly at: readonly number[];
  /** Rows in the window. */
  readonly rows: number;
  readonly dimensions: readonly Dimension[];
}

interface Dimension {
  /** Least and greatest finite value of each column; null in a gap, and where no value is finite. */
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  /** Columns in which a value is not finite, whatever the others are. */
  readonly not_finite: readonly number[];
}

/** A step this many times the usual one is a gap. */
const gapSteps = 3;

/**
 * The rows of a window in at most so many columns, each as wide as the others, in one pass. What lies between two columns
 * is empty because nothing was recorded (one column of nulls stands there) or only because rows are sparse (none does).
 */
export function downsample(rows: Rows, window: Window): Columns {
  const { at, values, dims } = rows;
  const { dimensions } = window;
  const bins = new Bins(window);
  const wanted = dimensions.length;
  for (let row = 0; row < at.length; row++) {
    const bin = bins.place(at[row]);
    if (bin < 0) continue;
    const start = row * dims;
    for (let k = 0; k < wanted; k++) bins.take(bin * wanted + k, values[start + dimensions[k]]);
  }
  return bins.finish(gapSteps * usualStep(at), values instanceof Float32Array);
}

/** Where rows fall, and what was seen there. */
class Bins {
  readonly #window: Window;
  readonly #scale: number;
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #odd: Uint8Array;
  #rows = 0;

  constructor(window: Window) {
    const { columns, dimensions, from, to } = window;
    this.#window = window;
    const scale = columns / (to - from);
    // A window without width, or with hardly any, is one column.
    this.#scale = Number.isFinite(scale) ? scale : 0;
    this.#first = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    this.#last = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
    this.#min = new Float64Array(columns * dimensions.length).fill(Number.POSITIVE_INFINITY);
    this.#max = new Float64Array(columns * dimensions.length).fill(Number.NEGATIVE_INFINITY);
    this.#odd = new Uint8Array(columns * dimensions.length);
  }

  /** The column a row falls on; −1 outside of the window. */
  place(at: number): number {
    const { from, to, columns } = this.#window;
    if (!(at >= from && at <= to)) return -1;
    const bin = Math.min(columns - 1, Math.floor((at - from) * this.#scale));
    if (at < this.#first[bin]) this.#first[bin] = at;
    if (at > this.#last[bin]) this.#last[bin] = at;
    this.#rows++;
    return bin;
  }

  take(cell: number, value: number): void {
    if (value - value !== 0) this.#odd[cell] = 1;
    else {
      if (value < this.#min[cell]) this.#min[cell] = value;
      if (value > this.#max[cell]) this.#max[cell] = value;
    }
  }

  finish(gap: number, single: boolean): Columns {
    const shown = this.#shown(gap);
    const at = shown.map((bin) => (bin < 0 ? this.#last[~bin] + gap / (2 * gapSteps) : this.#first[bin]));
    const dimensions = this.#window.dimensions.map((_, k) => this.#dimension(shown, k, single));
    return { at, rows: this.#rows, dimensions };
  }

  /** Columns that hold rows, in order; `~bin` for the gap behind one. */
  #shown(gap: number): number[] {
    const shown: number[] = [];
    let before = -1;
    for (let bin = 0; bin < this.#first.length; bin++) {
      if (this.#last[bin] < this.#first[bin]) continue;
      const apart = before >= 0 && bin > before + 1 && this.#first[bin] - this.#last[before] > gap;
      if (apart) shown.push(~before);
      shown.push(bin);
      before = bin;
    }
    return shown;
  }

  #dimension(shown: readonly number[], k: number, single: boolean): Dimension {
    const wanted = this.#window.dimensions.length;
    const not_finite: number[] = [];
    const of = (extremes: Float64Array) =>
      shown.map((bin) => (bin < 0 ? null : plain(extremes[bin * wanted + k], single)));
    for (const [column, bin] of shown.entries())
      if (bin >= 0 && this.#odd[bin * wanted + k] === 1) not_finite.push(column);
    return { min: of(this.#min), max: of(this.#max), not_finite };
  }
}

/** A 32-bit number needs no more than nine digits; written as a double it has seventeen. */
function plain(value: number, single: boolean): number | null {
  if (!Number.isFinite(value)) return null;
  return single ? Number(value.toPrecision(9)) : value;
}

/** Steps looked at for the usual one. */
const stepsSeen = 4096;

/** Median of the steps forward; infinite where there is none, so that nothing is a gap. */
function usualStep(at: Float64Array): number {
  const stride = Math.max(1, Math.floor(at.length / stepsSeen));
  const steps: number[] = [];
  for (let row = 1; row < at.length; row += stride) {
    const step = at[row] - at[row - 1];
    if (step > 0) steps.push(step);
  }
  if (steps.length === 0) return Number.POSITIVE_INFINITY;
  return Float64Array.from(steps).sort()[steps.length >> 1];
}
