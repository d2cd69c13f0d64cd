import type { Chunk, ListColumn } from '../../../shared/parquet/chunks.ts';
import type { ColumnPlan, FilePlan } from './column-plan.ts';

/** Row numbers of one episode in a query result, with the ranges of its numbering columns. */
export interface EpisodeNumbering {
  readonly episode: number;
  readonly rows: number;
  /** First row in the file. */
  readonly first_row: number;
  /** True if its rows are adjacent in the file. */
  readonly contiguous: boolean;
  /** Minimum and maximum task_index; null if there is none. */
  readonly task_range: readonly [number, number] | null;
  /** Minimum and maximum of frame_index − row position; null without the column or with scattered rows. */
  readonly frame_offset: readonly [number, number] | null;
  /**
   * Minimum and maximum of index − row position, both the first index if it is consecutive; null like `frame_offset`.
   */
  readonly index_range: readonly [number, number] | null;
  /** Minimum and maximum episode_index if rows are grouped by file; null without the column. */
  readonly episode_range: readonly [number, number] | null;
}

/** Values of a numeric feature in one episode. */
export interface ReadColumn {
  readonly plan: ColumnPlan;
  readonly values: Float32Array | Float64Array;
  /** Values per row as found. */
  readonly dims: number;
  /** Number of rows whose value is null. */
  readonly null_rows: number;
  /** Number of rows with another length than `dims`. */
  readonly ragged_rows: number;
  /** Number of nulls inside lists. */
  readonly null_values: number;
}

/** The rows of one episode. */
export interface ReadRows {
  readonly numbering: EpisodeNumbering;
  readonly columns: readonly ReadColumn[];
  /** Timestamps; null without the column. */
  readonly timestamps: Float64Array | null;
}

/**
 * Returns the SELECT expressions that `RowReader` expects: the timestamps, or NULL, then each numeric column of the
 * plan.
 */
export function selectList(plan: FilePlan): string {
  return [plan.stamp ?? 'NULL::DOUBLE', ...plan.columns.map((column) => column.sql)].join(', ');
}

const firstColumn = 1;

/**
 * Divides the rows of a query into episodes, which follow one another, and yields each when complete. Values are
 * copied once into arrays of the episode. With `reuse` the arrays of the episode before are used again: memory stays
 * in the CPU cache, and garbage collection runs half as often.
 */
export class RowReader {
  readonly #plan: FilePlan;
  readonly #numberings: readonly EpisodeNumbering[];
  readonly #reuse: boolean;
  readonly #slab = new ArrayPool();
  #position = 0;
  #current: EpisodeRowReader | null = null;

  constructor(plan: FilePlan, numberings: readonly EpisodeNumbering[], reuse: boolean) {
    this.#plan = plan;
    this.#numberings = numberings;
    this.#reuse = reuse;
  }

  /** Yields the episodes that are completed by the rows of a chunk; call it with all chunks of the query in order. */
  *read(chunk: Chunk): Generator<ReadRows> {
    const views = new ChunkViews(chunk, this.#plan);
    let row = 0;
    while (row < chunk.rows) {
      if (this.#current === null) {
        if (this.#position >= this.#numberings.length) return;
        this.#current = new EpisodeRowReader(this.#numberings[this.#position], this.#plan, this.#slab);
      }
      const until = Math.min(chunk.rows, row + this.#current.missingRows);
      this.#current.add(views, row, until);
      row = until;
      if (this.#current.missingRows > 0) continue;
      yield this.#current.result();
      if (this.#reuse) this.#slab.rewind();
      this.#position += 1;
      this.#current = null;
    }
  }
}

/** Column views of a chunk, looked up once. */
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

/** Collects the rows of one episode. */
class EpisodeRowReader {
  readonly #numbering: EpisodeNumbering;
  readonly #stamps: Float64Array | null;
  readonly #columns: readonly ColumnReader[];
  #done = 0;

  constructor(numbering: EpisodeNumbering, plan: FilePlan, slab: ArrayPool) {
    this.#numbering = numbering;
    this.#stamps = plan.stamp === null ? null : slab.float64(numbering.rows);
    this.#columns = plan.columns.map((column) => new ColumnReader(column, numbering.rows, slab));
  }

  /** Number of rows still to be read. */
  get missingRows(): number {
    return this.#numbering.rows - this.#done;
  }

  add(views: ChunkViews, from: number, to: number): void {
    if (this.#stamps !== null) {
      copy(this.#stamps, this.#done, views.stamps.values, from, to);
      blankNulls(this.#stamps, this.#done, views.stamps.nulls, from, to);
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

/** Collects the values of one column of an episode. */
class ColumnReader {
  readonly #plan: ColumnPlan;
  readonly #rows: number;
  readonly #slab: ArrayPool;
  #values: Float32Array | Float64Array | null = null;
  #dims: number;
  #nullRows = 0;
  #raggedRows = 0;
  #nullValues = 0;

  constructor(plan: ColumnPlan, rows: number, slab: ArrayPool) {
    this.#plan = plan;
    this.#rows = rows;
    this.#slab = slab;
    this.#dims = plan.dims;
  }

  addScalars(view: ReturnType<Chunk['numbers']>, done: number, from: number, to: number): void {
    const target = this.#target(1);
    copy(target, done, view.values, from, to);
    this.#nullRows += blankNulls(target, done, view.nulls, from, to);
  }

  addLists(view: ListColumn, done: number, from: number, to: number): void {
    const { child, uniform } = view;
    const target = this.#target(uniform ?? firstLength(view, from, to) ?? this.#plan.dims);
    const dims = this.#dims;
    if (uniform === dims) {
      copy(target, done * dims, child.values, from * dims, to * dims);
      this.#nullValues += blankNulls(target, done * dims, child.nulls, from * dims, to * dims);
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
      this.#nullValues += blankNulls(target, at, child.nulls, offset, offset + kept);
    }
  }

  /** Returns the episode's array, allocated once the row length is known. */
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

/** Returns the length of the first non-null list; null if all are null. */
function firstLength(view: ListColumn, from: number, to: number): number | null {
  for (let row = from; row < to; row++) {
    const [, length] = view.row(row);
    if (length >= 0) return length;
  }
  return null;
}

/** Copies source[from, to) to position `at` of the target. */
function copy(
  target: Float32Array | Float64Array,
  at: number,
  source: Float32Array | Float64Array,
  from: number,
  to: number,
): void {
  target.set(source.subarray(from, to), at);
}

/** Replaces nulls by NaN and returns their number. */
function blankNulls(
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

/** Size of a pooled array, in float32 values. */
const slabValues = 262_144;

/**
 * Allocates small typed arrays as views of larger ones, which is cheaper than single allocations. A large array lives
 * as long as any view of it.
 */
class ArrayPool {
  #narrow = new Float32Array(0);
  #narrowUsed = 0;
  #wide = new Float64Array(0);
  #wideUsed = 0;

  /** Makes all allocated memory available again. */
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
