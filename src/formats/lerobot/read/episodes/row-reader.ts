import type { Chunk, ListColumn } from '../../../shared/parquet/chunks.ts';
import type { ColumnPlan, FilePlan } from './column-plan.ts';

/** Rows of one episode, one behind the other in a query's answer, and what its counting columns say. */
export interface EpisodeNumbering {
  readonly episode: number;
  readonly rows: number;
  /** Row of the file that it starts at. */
  readonly first_row: number;
  /** Its rows lie one behind the other in the file. */
  readonly whole: boolean;
  /** Least and greatest task_index; null without one. */
  readonly task_range: readonly [number, number] | null;
  /** Least and greatest frame_index − position in the episode; null without the column, or where rows are scattered. */
  readonly frame_offset: readonly [number, number] | null;
  /** Least and greatest index − position in the episode: both the first index where it counts on; null like `frame_offset`. */
  readonly index_range: readonly [number, number] | null;
  /** Least and greatest episode_index, where rows are grouped by file; null without the column. */
  readonly episode_range: readonly [number, number] | null;
}

/** One numeric feature of one episode. */
export interface ReadColumn {
  readonly plan: ColumnPlan;
  readonly values: Float32Array | Float64Array;
  /** Numbers a row as found. */
  readonly dims: number;
  /** Rows whose value is null. */
  readonly null_rows: number;
  /** Rows with another count of numbers than `dims`. */
  readonly ragged_rows: number;
  /** Numbers inside lists that are null. */
  readonly null_values: number;
}

export interface ReadRows {
  readonly numbering: EpisodeNumbering;
  readonly columns: readonly ReadColumn[];
  /** Null where the file has no such column. */
  readonly timestamps: Float64Array | null;
}

/** Expressions of a query over a data file, in the order that `RowReader` expects them. */
export function selectList(plan: FilePlan): string {
  return [plan.stamp ?? 'NULL::DOUBLE', ...plan.columns.map((column) => column.sql)].join(', ');
}

const firstColumn = 1;

/**
 * Cuts the rows of a query into episodes, which lie one behind the other, and gives each as soon as it is whole.
 * Numbers are copied once, from the engine's vectors into arrays of the episode's own; with `reuse` into those of the
 * episode before: the memory stays in the processor's cache, and the garbage collector, which counts it, runs half as
 * often.
 */
export class RowReader {
  readonly #plan: FilePlan;
  readonly #numberings: readonly EpisodeNumbering[];
  readonly #reuse: boolean;
  readonly #slab = new Slab();
  #position = 0;
  #current: EpisodeRowReader | null = null;

  constructor(plan: FilePlan, numberings: readonly EpisodeNumbering[], reuse: boolean) {
    this.#plan = plan;
    this.#numberings = numberings;
    this.#reuse = reuse;
  }

  /** The episodes that end in a chunk. */
  *take(chunk: Chunk): Generator<ReadRows> {
    const views = new ChunkViews(chunk, this.#plan);
    let row = 0;
    while (row < chunk.rows) {
      if (this.#current === null) {
        if (this.#position >= this.#numberings.length) return;
        this.#current = new EpisodeRowReader(this.#numberings[this.#position], this.#plan, this.#slab);
      }
      const until = Math.min(chunk.rows, row + this.#current.wanted);
      this.#current.add(views, row, until);
      row = until;
      if (this.#current.wanted > 0) continue;
      yield this.#current.result();
      if (this.#reuse) this.#slab.rewind();
      this.#position += 1;
      this.#current = null;
    }
  }
}

/** A chunk's columns, looked up once a chunk. */
class ChunkViews {
  readonly stamps;
  readonly columns: readonly (ListColumn | ReturnType<Chunk['numbers']>)[];

  constructor(chunk: Chunk, plan: FilePlan) {
    this.stamps = chunk.numbers(0);
    this.columns = plan.columns.map((column, at) =>
      column.shape === 'list' ? chunk.lists(firstColumn + at) : chunk.numbers(firstColumn + at),
    );
  }
}

class EpisodeRowReader {
  readonly #numbering: EpisodeNumbering;
  readonly #stamps: Float64Array | null;
  readonly #columns: readonly ColumnReader[];
  #done = 0;

  constructor(numbering: EpisodeNumbering, plan: FilePlan, slab: Slab) {
    this.#numbering = numbering;
    this.#stamps = plan.stamp === null ? null : slab.float64(numbering.rows);
    this.#columns = plan.columns.map((column) => new ColumnReader(column, numbering.rows, slab));
  }

  get wanted(): number {
    return this.#numbering.rows - this.#done;
  }

  add(views: ChunkViews, from: number, to: number): void {
    if (this.#stamps !== null) {
      copy(this.#stamps, this.#done, views.stamps.values, from, to);
      blank(this.#stamps, this.#done, views.stamps.nulls, from, to);
    }
    for (let at = 0; at < this.#columns.length; at++) {
      const view = views.columns[at];
      if ('child' in view) this.#columns[at].addLists(view, this.#done, from, to);
      else this.#columns[at].addScalars(view, this.#done, from, to);
    }
    this.#done += to - from;
  }

  result(): ReadRows {
    const columns = this.#columns.map((column) => column.result());
    return { numbering: this.#numbering, columns, timestamps: this.#stamps };
  }
}

class ColumnReader {
  readonly #plan: ColumnPlan;
  readonly #rows: number;
  readonly #slab: Slab;
  #values: Float32Array | Float64Array | null = null;
  #dims: number;
  #nullRows = 0;
  #raggedRows = 0;
  #nullValues = 0;

  constructor(plan: ColumnPlan, rows: number, slab: Slab) {
    this.#plan = plan;
    this.#rows = rows;
    this.#slab = slab;
    this.#dims = plan.dims;
  }

  addScalars(view: ReturnType<Chunk['numbers']>, done: number, from: number, to: number): void {
    const target = this.#target(1);
    copy(target, done, view.values, from, to);
    this.#nullRows += blank(target, done, view.nulls, from, to);
  }

  addLists(view: ListColumn, done: number, from: number, to: number): void {
    const { child, uniform } = view;
    const target = this.#target(uniform ?? firstLength(view, from, to) ?? this.#plan.dims);
    const dims = this.#dims;
    if (uniform === dims) {
      copy(target, done * dims, child.values, from * dims, to * dims);
      this.#nullValues += blank(target, done * dims, child.nulls, from * dims, to * dims);
      return;
    }
    for (let row = from; row < to; row++) {
      const [offset, length] = view.row(row);
      const at = (done + row - from) * dims;
      target.fill(Number.NaN, at, at + dims);
      if (length < 0) this.#nullRows += 1;
      else if (length !== dims) this.#raggedRows += 1;
      const kept = Math.min(Math.max(length, 0), dims);
      copy(target, at, child.values, offset, offset + kept);
      this.#nullValues += blank(target, at, child.nulls, offset, offset + kept);
    }
  }

  /** The episode's array, cut when its first row says how long a row is. */
  #target(dims: number): Float32Array | Float64Array {
    if (this.#values !== null) return this.#values;
    this.#dims = dims;
    const size = this.#rows * dims;
    this.#values = this.#plan.precision === 'float32' ? this.#slab.float32(size) : this.#slab.float64(size);
    return this.#values;
  }

  result(): ReadColumn {
    return {
      plan: this.#plan,
      values: this.#target(this.#dims),
      dims: this.#dims,
      null_rows: this.#nullRows,
      ragged_rows: this.#raggedRows,
      null_values: this.#nullValues,
    };
  }
}

function firstLength(view: ListColumn, from: number, to: number): number | null {
  for (let row = from; row < to; row++) {
    const [, length] = view.row(row);
    if (length >= 0) return length;
  }
  return null;
}

function copy(
  target: Float32Array | Float64Array,
  at: number,
  source: Float32Array | Float64Array,
  from: number,
  to: number,
): void {
  target.set(source.subarray(from, to), at);
}

/** Null becomes NaN. Answers how many there were. */
function blank(
  target: Float32Array | Float64Array,
  at: number,
  nulls: Uint8Array | null,
  from: number,
  to: number,
): number {
  if (nulls === null) return 0;
  let count = 0;
  for (let row = from; row < to; row++) {
    if (nulls[row] === 0) continue;
    target[at + row - from] = Number.NaN;
    count += 1;
  }
  return count;
}

const slabValues = 262_144;

/**
 * Hands out typed arrays cut from larger ones: an episode's few kilobytes cost a view, not an allocation each. A slab
 * lives as long as any array cut from it.
 */
class Slab {
  #narrow = new Float32Array(0);
  #narrowUsed = 0;
  #wide = new Float64Array(0);
  #wideUsed = 0;

  /** Everything handed out so far may be handed out again. */
  rewind(): void {
    this.#narrowUsed = 0;
    this.#wideUsed = 0;
  }

  float32(length: number): Float32Array {
    if (length > slabValues / 4) return new Float32Array(length);
    if (this.#narrowUsed + length > this.#narrow.length) {
      this.#narrow = new Float32Array(slabValues);
      this.#narrowUsed = 0;
    }
    this.#narrowUsed += length;
    return this.#narrow.subarray(this.#narrowUsed - length, this.#narrowUsed);
  }

  float64(length: number): Float64Array {
    if (length > slabValues / 8) return new Float64Array(length);
    if (this.#wideUsed + length > this.#wide.length) {
      this.#wide = new Float64Array(slabValues / 2);
      this.#wideUsed = 0;
    }
    this.#wideUsed += length;
    return this.#wide.subarray(this.#wideUsed - length, this.#wideUsed);
  }
}
