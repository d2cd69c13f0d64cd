import type { ReadPlan, StreamPlan } from './column-plan.ts';
import type { TableChunk } from './table.ts';

type Numbers = Float32Array | Float64Array;

const firstRows = 4096;

/** Numbers of one stream, row-major, growing. */
export class StreamRows {
  readonly plan: StreamPlan;
  /** Null until the first row says how wide it is. */
  dims: number | null = null;
  /** Rows of lists whose length is not that of the first. */
  ragged = 0;
  /** Numbers that each part of the plan had in the first row. */
  #widths: readonly number[];
  #values: Numbers = new Float64Array(0);
  #rows = 0;

  constructor(plan: StreamPlan) {
    this.plan = plan;
    this.#widths = plan.parts.map(() => 1);
  }

  get bytes(): number {
    return this.#rows * (this.dims ?? 0) * (this.plan.precision === 'float32' ? 4 : 8);
  }

  values(): Numbers {
    return this.#values.subarray(0, this.#rows * (this.dims ?? 0));
  }

  /** The dimension of a column that holds one number a row; null where there is no such column. */
  dimensionOf(column: string): number | null {
    const at = this.plan.columns.indexOf(column);
    if (at < 0 || this.#widths[at] !== 1) return null;
    return this.#widths.slice(0, at).reduce((sum, width) => sum + width, 0);
  }

  append(chunk: TableChunk, from: number, to: number): void {
    const { parts } = this.plan;
    if (this.dims === null) {
      this.#widths = parts.map((part) => (part < 0 ? 1 : chunk.numbers[part].width));
      this.dims = this.#widths.reduce((sum, width) => sum + width, 0);
    }
    this.#reserve(this.#rows + to - from);
    if (parts.length === 1 && parts[0] >= 0 && chunk.numbers[parts[0]].width === this.dims) {
      const { values } = chunk.numbers[parts[0]];
      this.#values.set(values.subarray(from * this.dims, to * this.dims), this.#rows * this.dims);
    } else this.#interleave(chunk, from, to);
    this.#rows += to - from;
  }

  #interleave(chunk: TableChunk, from: number, to: number): void {
    const dims = this.dims ?? 0;
    const target = this.#values;
    let column = 0;
    for (const [at, part] of this.plan.parts.entries()) {
      const width = part < 0 ? 1 : chunk.numbers[part].width;
      // A list that is longer than in the first row has no place, and a shorter one leaves its own free.
      const kept = this.#widths[at];
      if (part >= 0 && width !== kept) this.ragged += to - from;
      for (let i = 0; i < kept; i++) {
        let place = this.#rows * dims + column + i;
        const source = part < 0 || i >= width ? null : chunk.numbers[part].values;
        for (let row = from; row < to; row++, place += dims)
          target[place] = source === null ? Number.NaN : source[row * width + i];
      }
      column += kept;
    }
  }

  #reserve(rows: number): void {
    const dims = this.dims ?? 0;
    if (rows * dims <= this.#values.length) return;
    const size = Math.max(firstRows, rows, 2 * this.#rows) * dims;
    const grown = this.plan.precision === 'float32' ? new Float32Array(size) : new Float64Array(size);
    grown.set(this.#values.subarray(0, this.#rows * dims));
    this.#values = grown;
  }
}

/** Rows of one episode, or of the part of it that is held. */
export class EpisodeRows {
  readonly streams: readonly StreamRows[];
  readonly #plan: ReadPlan;
  readonly #stamps: Float64Array[];
  rows = 0;
  task: string | null = null;
  /** Of the last row that says one. */
  outcome: string | null = null;

  constructor(plan: ReadPlan) {
    this.#plan = plan;
    this.streams = plan.streams.map((stream) => new StreamRows(stream));
    this.#stamps = plan.clocks.map(() => new Float64Array(firstRows));
  }

  get bytes(): number {
    return this.streams.reduce((sum, stream) => sum + stream.bytes, this.rows * 8 * this.#stamps.length);
  }

  /** Seconds since the table's first stamp. */
  stamps(clock: number): Float64Array {
    return this.#stamps[clock].subarray(0, this.rows);
  }

  append(chunk: TableChunk, from: number, to: number): void {
    for (const stream of this.streams) stream.append(chunk, from, to);
    this.#stamps.forEach((stamps, at) => {
      const own = this.rows + to - from <= stamps.length ? stamps : grown(stamps, this.rows + to - from);
      own.set(chunk.stamps[at].subarray(from, to), this.rows);
      this.#stamps[at] = own;
    });
    const { task, outcome } = this.#plan;
    if (task !== null) this.task ??= chunk.text(task, from) ?? chunk.text(task, to - 1);
    if (outcome !== null) this.outcome = chunk.text(outcome, to - 1) ?? this.outcome;
    this.rows += to - from;
  }
}

function grown(stamps: Float64Array, rows: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(rows, 2 * stamps.length));
  larger.set(stamps);
  return larger;
}
