import type { Finding } from '#core/episode';
import type { Mapping, StreamMapping } from './mapping.ts';
import type { TableChunk, TableColumn, TablePlan } from './table.ts';

type Numbers = Float32Array | Float64Array;

const initialRows = 4096;

/** Growing row-major buffer with the numbers of one stream. */
export class StreamRows {
  readonly plan: StreamPlan;
  /** Numbers per row; `null` before the first row. */
  dims: number | null = null;
  /** Number of rows whose lists are not as long as those of the first row. */
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

  /** Returns the dimension of a column with one number per row; `null` if there is no such column. */
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
      // Lists longer than in the first row are cut; missing numbers of shorter ones are NaN.
      const firstWidth = this.#widths[at];
      if (part >= 0 && width !== firstWidth) this.ragged += to - from;
      for (let i = 0; i < firstWidth; i++) {
        let index = this.#rows * dims + column + i;
        const source = part < 0 || i >= width ? null : chunk.numbers[part].values;
        for (let row = from; row < to; row++, index += dims)
          target[index] = source === null ? Number.NaN : source[row * width + i];
      }
      column += firstWidth;
    }
  }

  #reserve(rows: number): void {
    const dims = this.dims ?? 0;
    if (rows * dims <= this.#values.length) return;
    const size = Math.max(initialRows, rows, 2 * this.#rows) * dims;
    const growStamps = this.plan.precision === 'float32' ? new Float32Array(size) : new Float64Array(size);
    growStamps.set(this.#values.subarray(0, this.#rows * dims));
    this.#values = growStamps;
  }
}

/** Rows of one episode, or of the part of it in memory. */
export class EpisodeRows {
  readonly streams: readonly StreamRows[];
  readonly #plan: ReadPlan;
  readonly #stamps: Float64Array[];
  rows = 0;
  task: string | null = null;
  /** Outcome of the last row that has one. */
  outcome: string | null = null;

  constructor(plan: ReadPlan) {
    this.#plan = plan;
    this.streams = plan.streams.map((stream) => new StreamRows(stream));
    this.#stamps = plan.clocks.map(() => new Float64Array(initialRows));
  }

  get bytes(): number {
    return this.streams.reduce((sum, stream) => sum + stream.bytes, this.rows * 8 * this.#stamps.length);
  }

  /** Returns times of a clock in seconds since the table's first stamp. */
  stamps(clock: number): Float64Array {
    return this.#stamps[clock].subarray(0, this.rows);
  }

  append(chunk: TableChunk, from: number, to: number): void {
    for (const stream of this.streams) stream.append(chunk, from, to);
    this.#stamps.forEach((stamps, at) => {
      const buffer =
        this.rows + to - from <= stamps.length ? stamps : growStamps(stamps, this.rows + to - from);
      buffer.set(chunk.stamps[at].subarray(from, to), this.rows);
      this.#stamps[at] = buffer;
    });
    const { task, outcome } = this.#plan;
    if (task !== null) this.task ??= chunk.text(task, from) ?? chunk.text(task, to - 1);
    if (outcome !== null) this.outcome = chunk.text(outcome, to - 1) ?? this.outcome;
    this.rows += to - from;
  }
}

function growStamps(stamps: Float64Array, rows: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(rows, 2 * stamps.length));
  larger.set(stamps);
  return larger;
}

/** Columns from which one stream is built. */
interface StreamPlan {
  readonly mapping: StreamMapping;
  /** Indices into the table plan's `numbers`; -1 for columns that are missing or not numeric. */
  readonly parts: readonly number[];
  /** One column name per part. */
  readonly columns: readonly string[];
  readonly precision: 'float32' | 'float64';
}

/** Assignment of a mapping's streams, clocks and texts to the columns of a file. */
export interface ReadPlan {
  readonly table: TablePlan;
  readonly streams: readonly StreamPlan[];
  /** Clocks whose columns the file has, in the order of the mapping. */
  readonly clocks: readonly Mapping['clocks'][number][];
  /** Indices into the table plan's `texts`; `null` if not mapped or missing. */
  readonly task: number | null;
  readonly outcome: number | null;
  readonly findings: readonly Finding[];
}

/** Assigns the columns of a file to a mapping. Missing and unsuitable columns become findings. */
export function planColumns(mapping: Mapping, columns: readonly TableColumn[], path: string): ReadPlan {
  const planner = new Planner(columns, path);
  const streams = mapping.streams.map((stream) => planner.stream(stream));
  const clocks = mapping.clocks.filter(({ column }) => planner.has(column, 'clock'));
  const key = 'column' in mapping.episodes ? mapping.episodes.column : undefined;
  const task = typeof mapping.task === 'object' && 'column' in mapping.task ? mapping.task.column : null;
  const { numbers, texts, findings } = planner;
  const textIndices = {
    task: planner.text(task, 'task'),
    outcome: planner.text(mapping.outcome?.column, 'outcome'),
  };
  return {
    table: {
      numbers,
      texts,
      stamps: clocks.map(({ column, unit }) => ({ column: planner.column(column) as TableColumn, unit })),
      key: key !== undefined && planner.has(key, 'episode') ? (planner.column(key) ?? null) : null,
    },
    streams,
    clocks,
    ...textIndices,
    findings,
  };
}

class Planner {
  readonly numbers: TableColumn[] = [];
  readonly texts: TableColumn[] = [];
  readonly findings: Finding[] = [];
  readonly #columns: readonly TableColumn[];
  readonly #byName: ReadonlyMap<string, TableColumn>;
  readonly #path: string;

  constructor(columns: readonly TableColumn[], path: string) {
    this.#columns = columns;
    // Of several columns with one name the first is used, as by other readers of the file.
    this.#byName = new Map(columns.toReversed().map((column) => [column.name, column]));
    this.#path = path;
    if (this.#byName.size < columns.length) this.findings.push(repeatedColumnFinding(columns, path));
  }

  column(name: string): TableColumn | undefined {
    return this.#byName.get(name);
  }

  has(name: string, what: string): boolean {
    if (this.#byName.has(name)) return true;
    this.findings.push(this.#missing(name, `as ${what}`));
    return false;
  }

  text(name: string | null | undefined, what: string): number | null {
    if (name == null || !this.has(name, what)) return null;
    return this.texts.push(this.column(name) as TableColumn) - 1;
  }

  stream(mapping: StreamMapping): StreamPlan {
    const columns = mapping.columns.flatMap((name) => this.#expand(name, mapping.id));
    const parts = columns.map((name) => this.#number(name, mapping.id));
    const isNarrow = parts.every((part) => part >= 0 && this.numbers[part].precision === 'float32');
    return { mapping, parts, columns, precision: isNarrow ? 'float32' : 'float64' };
  }

  #expand(name: string, stream: string): readonly string[] {
    if (!name.includes('*') || this.#byName.has(name)) return [name];
    const source = name.split('*').map((text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
    const expression = new RegExp(`^${source.join('.*')}$`);
    const found = this.#columns.filter((column) => expression.test(column.name)).map((column) => column.name);
    if (found.length === 0) this.findings.push(this.#missing(name, `for ${stream}`));
    return found;
  }

  #number(name: string, stream: string): number {
    const column = this.#byName.get(name);
    if (column === undefined) {
      this.findings.push(this.#missing(name, `for ${stream}`));
      return -1;
    }
    if (column.kind !== 'number' && column.kind !== 'list') {
      this.findings.push({
        code: 'column_not_numeric',
        severity: 'error',
        path: this.#path,
        message: `${this.#path}: the column ${name} of ${stream} is not numeric`,
        advice: 'remove the column from the mapping, or write numbers into it',
      });
      return -1;
    }
    const existing = this.numbers.indexOf(column);
    return existing >= 0 ? existing : this.numbers.push(column) - 1;
  }

  #missing(name: string, what: string): Finding {
    const listed = this.#columns.slice(0, 12).map((column) => column.name);
    const more = this.#columns.length > listed.length ? ', …' : '';
    return {
      code: 'column_missing',
      severity: 'error',
      path: this.#path,
      message: `${this.#path} has no column ${name}, which the mapping uses ${what}`,
      advice: `correct the mapping; the columns are ${listed.join(', ')}${more}`,
    };
  }
}

function repeatedColumnFinding(columns: readonly TableColumn[], path: string): Finding {
  const names = columns.map(({ name }) => name);
  const duplicates = [...new Set(names.filter((name, at) => names.indexOf(name) < at))].slice(0, 5);
  return {
    code: 'columns_repeated',
    severity: 'warning',
    path,
    message: `${path}: duplicate column names ${duplicates.join(', ')}; the first column of each name is read`,
    advice: 'give every column a unique name',
  };
}
