import { AssayError } from '#core';
import type { StreamSamples } from '#core/api';
import type { ShardRows } from '#store';
import { loadShardReader } from '#store/blobs';
import type { CameraInfo, CameraTask, StreamTask } from './reader-threads.ts';

/** Default maximum of dimensions; a stream may have thousands. */
const maxDimensions = 64;

/**
 * Returns a window of a stream as JSON bytes: summarised in columns, with the minimum and maximum of each requested dimension
 * (default: the first 64).
 * @throws `not_found`; `invalid_request` for a dimension that does not exist
 */
export async function readStream(task: StreamTask): Promise<Uint8Array> {
  const { readShardStream } = await loadShardReader();
  const { shard, stream_id, from, to } = task;
  const bounds = {
    ...(from === null ? {} : { from_s: from }),
    ...(to === null ? {} : { to_s: to }),
  };
  const rows = await readShardStream(shard.path, shard.place, stream_id, bounds);
  return new TextEncoder().encode(JSON.stringify(toSamples(rows, task)));
}

function toSamples(rows: ShardRows, task: StreamTask): StreamSamples {
  const { stream, values, dims, time_s, total_rows } = rows;
  const at = time_s ?? Float64Array.from({ length: total_rows }, (_, row) => row);
  const dimensions = chooseDimensions(task, dims);
  const [from, to] = [task.from ?? minimum(at), task.to ?? maximum(at)];
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

function chooseDimensions({ dimensions }: StreamTask, dims: number): readonly number[] {
  if (dimensions === null) return Array.from({ length: Math.min(dims, maxDimensions) }, (_, k) => k);
  const beyond = dimensions.find((dimension) => dimension >= dims);
  if (beyond === undefined) return [...new Set(dimensions)];
  throw new AssayError(
    'invalid_request',
    `dimension ${beyond} does not exist: the stream has ${dims} dimensions`,
    {
      advice: 'dimension indices start at 0',
    },
  );
}

/** Returns the minimum of the values; 0 without rows. */
const minimum = (at: Float64Array): number => at.reduce((a, b) => (b < a ? b : a), at[0] ?? 0);
const maximum = (at: Float64Array): number => at.reduce((a, b) => (b > a ? b : a), at[0] ?? 0);

/** Rows of a stream: `dims` values per row (row-major) and each row's position on the axis, in any order. */
export interface Rows {
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
  readonly at: Float64Array;
}

/** Range, columns and dimensions of a summary. */
export interface Window {
  /** Range on the axis, both ends inclusive. */
  readonly from: number;
  readonly to: number;
  /** Maximum number of columns. */
  readonly columns: number;
  /** Indices of the requested dimensions. */
  readonly dimensions: readonly number[];
}

/** Rows summarised in columns. */
interface Columns {
  /** Position of each column's first row; ascending. */
  readonly at: readonly number[];
  /** Number of rows in the window. */
  readonly rows: number;
  readonly dimensions: readonly Dimension[];
}

interface Dimension {
  /** Minimum and maximum of the finite values per column; null in gaps and for columns without finite values. */
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  /** Columns that contain a non-finite value. */
  readonly not_finite: readonly number[];
}

/** A gap is a step longer than this multiple of the median step. */
const gapSteps = 3;

/**
 * Summarises the rows of a window in at most `columns` columns of equal width with the minimum and maximum of each dimension,
 * in one pass. A recording gap is marked by one column of nulls; empty space between sparse rows is not.
 */
export function downsample(rows: Rows, window: Window): Columns {
  const { at, values, dims } = rows;
  const { dimensions } = window;
  const bins = new Bins(window);
  const width = dimensions.length;
  for (let row = 0; row < at.length; row++) {
    const bin = bins.assign(at[row]);
    if (bin < 0) continue;
    const start = row * dims;
    for (let k = 0; k < width; k++) bins.add(bin * width + k, values[start + dimensions[k]]);
  }
  return bins.finish(gapSteps * medianStep(at), values instanceof Float32Array);
}

/** Accumulates rows per column. */
class Bins {
  readonly #window: Window;
  readonly #scale: number;
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #notFinite: Uint8Array;
  #rows = 0;

  constructor(window: Window) {
    const { columns, dimensions, from, to } = window;
    this.#window = window;
    const scale = columns / (to - from);
    // A window of (almost) no width is one column.
    this.#scale = Number.isFinite(scale) ? scale : 0;
    this.#first = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    this.#last = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
    this.#min = new Float64Array(columns * dimensions.length).fill(Number.POSITIVE_INFINITY);
    this.#max = new Float64Array(columns * dimensions.length).fill(Number.NEGATIVE_INFINITY);
    this.#notFinite = new Uint8Array(columns * dimensions.length);
  }

  /** Returns the column of a row and counts the row; −1 outside the window. */
  assign(at: number): number {
    const { from, to, columns } = this.#window;
    if (!(at >= from && at <= to)) return -1;
    const bin = Math.min(columns - 1, Math.floor((at - from) * this.#scale));
    if (at < this.#first[bin]) this.#first[bin] = at;
    if (at > this.#last[bin]) this.#last[bin] = at;
    this.#rows++;
    return bin;
  }

  add(cell: number, value: number): void {
    if (value - value !== 0) this.#notFinite[cell] = 1;
    else {
      if (value < this.#min[cell]) this.#min[cell] = value;
      if (value > this.#max[cell]) this.#max[cell] = value;
    }
  }

  finish(gap: number, single: boolean): Columns {
    const visible = this.#visibleBins(gap);
    const at = visible.map((bin) => (bin < 0 ? this.#last[~bin] + gap / (2 * gapSteps) : this.#first[bin]));
    const dimensions = this.#window.dimensions.map((_, k) => this.#dimension(visible, k, single));
    return { at, rows: this.#rows, dimensions };
  }

  /** Returns the columns with rows, in order, and `~bin` for the gap after a column. */
  #visibleBins(gap: number): number[] {
    const visible: number[] = [];
    let before = -1;
    for (let bin = 0; bin < this.#first.length; bin++) {
      if (this.#last[bin] < this.#first[bin]) continue;
      const apart = before >= 0 && bin > before + 1 && this.#first[bin] - this.#last[before] > gap;
      if (apart) visible.push(~before);
      visible.push(bin);
      before = bin;
    }
    return visible;
  }

  #dimension(visible: readonly number[], k: number, single: boolean): Dimension {
    const width = this.#window.dimensions.length;
    const not_finite: number[] = [];
    const of = (extremes: Float64Array) =>
      visible.map((bin) => (bin < 0 ? null : roundSingle(extremes[bin * width + k], single)));
    for (const [column, bin] of visible.entries())
      if (bin >= 0 && this.#notFinite[bin * width + k] === 1) not_finite.push(column);
    return { min: of(this.#min), max: of(this.#max), not_finite };
  }
}

/** Rounds 32-bit values to nine digits, which is exact; null if not finite. */
function roundSingle(value: number, single: boolean): number | null {
  if (!Number.isFinite(value)) return null;
  return single ? Number(value.toPrecision(9)) : value;
}

/** Maximum number of steps sampled for the median. */
const maxSampledSteps = 4096;

/** Returns the median forward step; infinite without steps, so that nothing is a gap. */
function medianStep(at: Float64Array): number {
  const stride = Math.max(1, Math.floor(at.length / maxSampledSteps));
  const steps: number[] = [];
  for (let row = 1; row < at.length; row += stride) {
    const step = at[row] - at[row - 1];
    if (step > 0) steps.push(step);
  }
  if (steps.length === 0) return Number.POSITIVE_INFINITY;
  return Float64Array.from(steps).sort()[steps.length >> 1];
}

/** Returns the locations and times of a camera's pictures. Throws `not_found`. */
export async function readCamera({ shard, stream_id }: CameraTask): Promise<CameraInfo> {
  const { readShardStream } = await loadShardReader();
  const { stream, time_s } = await readShardStream(shard.path, shard.place, stream_id);
  const log = stream.clocks.findIndex(({ provenance }) => provenance === 'log');
  const chosen = stream.clock?.index ?? -1;
  const log_s =
    log < 0 || log === chosen
      ? null
      : (await readShardStream(shard.path, shard.place, stream_id, { clock: log })).time_s;
  return {
    frames: stream.frames ?? null,
    declared_rate_hz: stream.declared_rate_hz,
    sample_count: stream.sample_count,
    time_s,
    log_s: log === chosen ? time_s : log_s,
  };
}
