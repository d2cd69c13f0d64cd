import { type Chunk, chunks, type ListColumn } from '../../parquet/chunks.ts';
import { sqlName } from '../../parquet/duck.ts';
import type { ColumnPlan, FilePlan } from './column-plan.ts';
import { Slab } from './slab.ts';

/** Rows of one episode, one behind the other in a query's answer. */
export interface Segment {
  readonly episode: number;
  readonly rows: number;
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
  readonly segment: Segment;
  /** Row of the file that the segment starts at; −1 when the query does not ask. */
  readonly first_row: number;
  readonly columns: readonly ReadColumn[];
  /** Null where the file has no such column. */
  readonly timestamps: Float64Array | null;
  /** First row whose frame_index is not its position; −1 when all are, null without the column. */
  readonly frame_index_break: number | null;
  readonly task_range: readonly [number, number] | null;
}

/** Where in a query the rows' own episode_index and file_row_number stand, when they are to be held against the segments. */
export interface RowProof {
  readonly episode_index: string;
  readonly file_row_number: string;
}

/** The rows did not come as the segments said; nothing that was given before is wrong. */
export class SegmentsDisagree extends Error {}

/** Expressions of a query over a data file, in the order that `readRows` expects them. */
export function selectList(plan: FilePlan, proof?: RowProof): string {
  const integer = (name: string) =>
    plan.has.has(name) ? `TRY_CAST(${sqlName(name)} AS INTEGER)` : 'NULL::INTEGER';
  const stamp = plan.has.has('timestamp') ? 'TRY_CAST("timestamp" AS DOUBLE)' : 'NULL::DOUBLE';
  const columns = plan.columns.map((column) => column.sql);
  const proven = proof === undefined ? [] : [proof.episode_index, proof.file_row_number];
  return [stamp, integer('frame_index'), integer('task_index'), ...columns, ...proven].join(', ');
}

const firstColumn = 3;

/**
 * Runs a query whose rows are the segments one behind the other and gives each as soon as it is whole. Numbers are
 * copied once, from the engine's vectors into arrays of the episode's own. With `proven`, the query ends in the rows'
 * episode_index and file_row_number and every row must be the one that the segments expect: else `SegmentsDisagree`.
 */
export async function* readRows(
  sql: string,
  plan: FilePlan,
  segments: readonly Segment[],
  proven = false,
): AsyncGenerator<ReadRows> {
  const slab = new Slab();
  let position = 0;
  let current: SegmentReader | null = null;
  for await (const chunk of chunks(sql)) {
    const views = new ChunkViews(chunk, plan, proven);
    let row = 0;
    while (row < chunk.rows) {
      if (current === null) {
        if (position >= segments.length) {
          if (proven) throw new SegmentsDisagree();
          return;
        }
        current = new SegmentReader(segments[position], plan, slab);
      }
      const until = Math.min(chunk.rows, row + current.wanted);
      current.add(views, row, until);
      row = until;
      if (current.wanted > 0) continue;
      yield current.result();
      position += 1;
      current = null;
    }
  }
  if (proven && (current !== null || position < segments.length)) throw new SegmentsDisagree();
}

/** A chunk's columns, looked up once a chunk. */
class ChunkViews {
  readonly stamps;
  readonly frames;
  readonly tasks;
  readonly columns: readonly (ListColumn | ReturnType<Chunk['numbers']>)[];
  readonly episodes: Int32Array | null = null;
  readonly rowNumbers: Int32Array | null = null;

  constructor(chunk: Chunk, plan: FilePlan, proven: boolean) {
    this.stamps = chunk.numbers(0);
    this.frames = chunk.integers(1);
    this.tasks = chunk.integers(2);
    this.columns = plan.columns.map((column, at) =>
      column.shape === 'list' ? chunk.lists(firstColumn + at) : chunk.numbers(firstColumn + at),
    );
    if (!proven) return;
    this.episodes = chunk.integers(firstColumn + plan.columns.length).values;
    this.rowNumbers = chunk.integers(firstColumn + plan.columns.length + 1).values;
  }
}

class SegmentReader {
  readonly #segment: Segment;
  readonly #plan: FilePlan;
  readonly #stamps: Float64Array | null;
  readonly #columns: readonly ColumnReader[];
  #done = 0;
  #firstRow = -1;
  #break = -1;
  #lowTask = Number.POSITIVE_INFINITY;
  #highTask = Number.NEGATIVE_INFINITY;

  constructor(segment: Segment, plan: FilePlan, slab: Slab) {
    this.#segment = segment;
    this.#plan = plan;
    this.#stamps = plan.has.has('timestamp') ? slab.float64(segment.rows) : null;
    this.#columns = plan.columns.map((column) => new ColumnReader(column, segment.rows, slab));
  }

  get wanted(): number {
    return this.#segment.rows - this.#done;
  }

  add(views: ChunkViews, from: number, to: number): void {
    this.#prove(views, from, to);
    if (this.#stamps !== null) {
      copy(this.#stamps, this.#done, views.stamps.values, from, to);
      blank(this.#stamps, this.#done, views.stamps.nulls, from, to);
    }
    if (this.#break < 0) {
      const { values } = views.frames;
      const shift = this.#done - from;
      for (let row = from; row < to; row++) {
        if (values[row] === row + shift) continue;
        this.#break = row + shift;
        break;
      }
    }
    this.#addTasks(views, from, to);
    for (let at = 0; at < this.#columns.length; at++) {
      const view = views.columns[at];
      if ('child' in view) this.#columns[at].addLists(view, this.#done, from, to);
      else this.#columns[at].addScalars(view, this.#done, from, to);
    }
    this.#done += to - from;
  }

  #prove({ episodes, rowNumbers }: ChunkViews, from: number, to: number): void {
    if (episodes === null || rowNumbers === null) return;
    if (this.#firstRow < 0) this.#firstRow = rowNumbers[from];
    const expected = this.#segment.episode;
    const shift = this.#firstRow + this.#done - from;
    for (let row = from; row < to; row++) {
      if (episodes[row] !== expected || rowNumbers[row] !== row + shift) throw new SegmentsDisagree();
    }
  }

  #addTasks(views: ChunkViews, from: number, to: number): void {
    const { values, nulls } = views.tasks;
    if (nulls !== null) return;
    for (let row = from; row < to; row++) {
      const task = values[row];
      if (task < this.#lowTask) this.#lowTask = task;
      if (task > this.#highTask) this.#highTask = task;
    }
  }

  result(): ReadRows {
    return {
      segment: this.#segment,
      first_row: this.#firstRow,
      columns: this.#columns.map((column) => column.result()),
      timestamps: this.#stamps,
      frame_index_break: this.#plan.has.has('frame_index') ? this.#break : null,
      task_range: this.#highTask >= this.#lowTask ? [this.#lowTask, this.#highTask] : null,
    };
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
