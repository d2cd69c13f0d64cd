import { nearestText } from '#core';
import type { Finding } from '#core/episode';
import type { Mapping, PictureColumn, StreamMapping } from './mapping.ts';
import { matchesGlob } from './path-pattern.ts';
import type { Table, TableChunk, TableColumn, TablePlan } from './table.ts';

type Numbers = Float32Array | Float64Array;

const initialRows = 4096;
/** Estimated memory of the path of a picture. */
const pathBytes = 100;
const maxPathLength = 1000;

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

  /** Returns all values row by row, as a view that is valid until the next `append`. */
  values(): Numbers {
    return this.#values.subarray(0, this.#rows * (this.dims ?? 0));
  }

  /**
   * Returns a name for each dimension: the columns, with an index if a column of lists is one of several; `null` for
   * one column of lists.
   */
  dimensionNames(): readonly string[] | null {
    const { columns } = this.plan;
    if (columns.length === this.dims) return columns;
    if (columns.length < 2) return null;
    return columns.flatMap((column, at) =>
      this.#widths[at] === 1
        ? [column]
        : Array.from({ length: this.#widths[at] }, (_, i) => `${column}[${i}]`),
    );
  }

  /** Returns the dimension of a column with one number per row; `null` if there is no such column. */
  dimensionOf(column: string): number | null {
    const at = this.plan.columns.indexOf(column);
    if (at < 0 || this.#widths[at] !== 1) return null;
    return this.#widths.slice(0, at).reduce((sum, width) => sum + width, 0);
  }

  /** Appends rows `from` to before `to` of a chunk; the first chunk determines the number of dimensions. */
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
  /** Paths of picture files of each camera of `ReadPlan.cameras` by row; `null` for rows without a picture. */
  readonly pictures: readonly (string | null)[][];

  constructor(plan: ReadPlan) {
    this.#plan = plan;
    this.streams = plan.streams.map((stream) => new StreamRows(stream));
    this.#stamps = plan.clocks.map(() => new Float64Array(initialRows));
    this.pictures = plan.cameras.map(() => []);
  }

  get bytes(): number {
    const perRow = 8 * this.#stamps.length + pathBytes * this.pictures.length;
    return this.streams.reduce((sum, stream) => sum + stream.bytes, this.rows * perRow);
  }

  /**
   * Returns the times of a clock in seconds since the table's first stamp, as a view that is valid until the next
   * `append`.
   */
  stamps(clock: number): Float64Array {
    return this.#stamps[clock].subarray(0, this.rows);
  }

  /** Appends rows `from` to before `to` of a chunk; the first task text and the last outcome of the episode count. */
  append(chunk: TableChunk, from: number, to: number): void {
    for (const stream of this.streams) stream.append(chunk, from, to);
    this.#stamps.forEach((stamps, at) => {
      const buffer =
        this.rows + to - from <= stamps.length ? stamps : growStamps(stamps, this.rows + to - from);
      buffer.set(chunk.stamps[at].subarray(from, to), this.rows);
      this.#stamps[at] = buffer;
    });
    const { task, outcome, cameras } = this.#plan;
    for (const [at, { text }] of cameras.entries())
      for (let row = from; text !== null && row < to; row++)
        this.pictures[at].push(chunk.text(text, row)?.slice(0, maxPathLength) ?? null);
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
  readonly cameras: readonly CameraColumn[];
  readonly findings: readonly Finding[];
}

/** A camera whose pictures are a column of the file. */
export interface CameraColumn {
  readonly camera: PictureColumn;
  /** Index into the table plan's `texts` of a column of paths; `null` if the column stores the pictures. */
  readonly text: number | null;
}

/**
 * Returns which columns of a table to read for each setting of a mapping; missing and unsuitable columns become
 * findings.
 */
export function planColumns(mapping: Mapping, table: Table, path: string): ReadPlan {
  const planner = new Planner(table, path);
  const streams = mapping.streams.map((stream) => planner.stream(stream));
  const clocks = mapping.clocks.filter(({ column }) => planner.hasValues(column, 'clock'));
  const key = 'column' in mapping.episodes ? mapping.episodes.column : undefined;
  const task = typeof mapping.task === 'object' && 'column' in mapping.task ? mapping.task.column : null;
  const cameras = mapping.videos.flatMap((video) => ('column' in video ? planner.camera(video) : []));
  const { numbers, texts, findings } = planner;
  const textIndices = {
    task: planner.text(task, 'task'),
    outcome: planner.text(
      mapping.outcome !== undefined && 'column' in mapping.outcome ? mapping.outcome.column : null,
      'outcome',
    ),
  };
  return {
    table: {
      numbers,
      texts,
      stamps: clocks.map(({ column, unit }) => ({ column: planner.column(column) as TableColumn, unit })),
      key: key !== undefined && planner.hasValues(key, 'episode') ? (planner.column(key) ?? null) : null,
    },
    streams,
    clocks,
    cameras,
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
  /** True if the container can store pictures in columns. */
  readonly #storesPictures: boolean;

  constructor({ columns, frames }: Table, path: string) {
    this.#columns = columns;
    this.#storesPictures = frames !== undefined;
    // Of several columns with one name the first is used, as by other readers of the file.
    this.#byName = new Map(columns.toReversed().map((column) => [column.name, column]));
    this.#path = path;
    if (this.#byName.size < columns.length) this.findings.push(repeatedColumnFinding(columns, path));
  }

  column(name: string): TableColumn | undefined {
    return this.#byName.get(name);
  }

  has(name: string, what: string): boolean {
    const column = this.#byName.get(name);
    if (column === undefined) this.findings.push(this.#missing(name, `as ${what}`));
    else if (column.unreadable !== undefined) this.findings.push(this.#unreadable(name, column.unreadable));
    else return true;
    return false;
  }

  /** True if the table has the column with one value per row; adds a finding if not. */
  hasValues(name: string, what: string): boolean {
    if (!this.has(name, what)) return false;
    const kind = this.column(name)?.kind;
    if (kind !== 'list' && kind !== 'other') return true;
    this.findings.push({
      code: 'column_unsuitable',
      severity: 'error',
      path: this.#path,
      message: `${this.#path}: the column ${name} cannot be used as ${what}: it does not have exactly one number or text per row`,
      advice: `choose another column as ${what} in the mapping`,
    });
    return false;
  }

  text(name: string | null | undefined, what: string): number | null {
    if (name == null || !this.hasValues(name, what)) return null;
    return this.texts.push(this.column(name) as TableColumn) - 1;
  }

  camera(camera: PictureColumn): readonly CameraColumn[] {
    if (camera.optional === true && !this.#byName.has(camera.column)) return [];
    if (!this.has(camera.column, 'camera')) return [];
    const isStored = (this.column(camera.column) as TableColumn).kind !== 'text' && this.#storesPictures;
    return [{ camera, text: isStored ? null : this.text(camera.column, 'camera') }];
  }

  stream(mapping: StreamMapping): StreamPlan {
    const expanded = mapping.columns.flatMap((name) => this.#expand(name, mapping));
    const columns = mapping.optional === true ? expanded.filter((name) => this.#byName.has(name)) : expanded;
    const parts = columns.map((name) => this.#number(name, mapping.id));
    const isNarrow = parts.every((part) => part >= 0 && this.numbers[part].precision === 'float32');
    return { mapping, parts, columns, precision: isNarrow ? 'float32' : 'float64' };
  }

  #expand(name: string, { id: stream, optional }: StreamMapping): readonly string[] {
    if (!name.includes('*') || this.#byName.has(name)) return [name];
    const found = this.#columns.map((column) => column.name).filter((own) => matchesGlob(name, own));
    if (found.length === 0 && optional !== true) this.findings.push(this.#missing(name, `for ${stream}`));
    return found;
  }

  #number(name: string, stream: string): number {
    const column = this.#byName.get(name);
    if (column === undefined) {
      this.findings.push(this.#missing(name, `for ${stream}`));
      return -1;
    }
    if (column.unreadable !== undefined) {
      this.findings.push(this.#unreadable(name, column.unreadable));
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

  #unreadable(name: string, reason: string): Finding {
    return {
      code: 'array_unreadable',
      severity: 'error',
      path: this.#path,
      message: `${this.#path}: cannot read ${name}: ${reason}`,
      advice: 'write the array again as plain numbers, or remove it from the mapping',
    };
  }

  #missing(name: string, what: string): Finding {
    const nearest = nearestText(name, this.#byName.keys());
    const listed = this.#columns.slice(0, 12).map((column) => column.name);
    const more = this.#columns.length > listed.length ? ', …' : '';
    const names = `the columns are ${listed.join(', ')}${more}`;
    return {
      code: 'column_missing',
      severity: 'error',
      path: this.#path,
      message: `${this.#path} has no column ${name}, which the mapping uses ${what}`,
      advice: `correct the mapping; ${nearest === null ? '' : `the nearest name is ${nearest}; `}${names}`,
      evidence: { column: name, ...(nearest === null ? {} : { nearest }) },
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
