import { type Hdf5Value, toFloats } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { RowArray } from '../shared/arrays/row-array.ts';
import { assertStepCount, assertStored } from '../shared/arrays/step-arrays.ts';
import { nullIfUnreadable } from '../shared/hdf5-file.ts';
import { readArrayFrames } from './array-frames.ts';
import { StampParser } from './csv-fields.ts';
import type { PictureColumn } from './mapping.ts';
import type { FileValue, Table, TableChunk, TableColumn, TableFrames, TablePlan } from './table.ts';

/** Wider rows are no signal. */
const maxWidth = 4096;
/** Bytes of numbers per chunk: `target`, extended to whole chunks of the file up to `max`. */
const chunkBytes = { target: 8 * 1024 * 1024, max: 128 * 1024 * 1024 };
/** Rows per chunk if texts are read, whose length is unknown. */
const textRows = 1024;
const maxTextBytes = 64 * 1024;
const maxValues = 1000;

/** Arrays that make up a table. */
export interface ArraySource {
  /** File or folder of the arrays. */
  readonly path: string;
  readonly bytes: number;
  /** Files that are read; absent for `path` alone. */
  readonly files?: readonly string[];
  readonly arrays: ReadonlyMap<string, RowArray>;
  /** Reasons why arrays cannot be read, by name. */
  readonly unread: ReadonlyMap<string, AssayError>;
  /** Findings about the file; a source may add to them while it is read. */
  readonly findings: Finding[];
  /** Returns the file of an array if it is not `path`. */
  fileOf?(array: RowArray): string;
  /** Paths of the attributes, and the value of one; absent if the container has none. */
  readonly attributes?: {
    names(): Promise<readonly string[]>;
    /** Returns the value at a path with `@`; `null` if there is none. */
    get(path: string): Promise<Hdf5Value | null>;
  };
  close(): Promise<void>;
}

/**
 * Returns a table whose columns are the arrays with one row per sample; the other arrays and the attributes are values
 * of the file.
 */
export function arrayTable(source: ArraySource): Table {
  return new ArrayTable(source);
}

class ArrayTable implements Table {
  readonly columns: readonly TableColumn[];
  readonly sources?: readonly string[];
  position = 0;
  readonly #source: ArraySource;
  readonly #arrays: ReadonlyMap<string, RowArray>;
  readonly #findings: Finding[];
  /** Arrays that could not be read; their values are missing. */
  readonly #failed = new Set<RowArray>();
  #stamps: readonly StampParser[] = [];
  #lastKey: string | null = null;
  #key = 0;

  constructor(source: ArraySource) {
    this.#source = source;
    this.#arrays = source.arrays;
    if (source.files !== undefined) this.sources = source.files;
    this.columns = [...listColumns(source.arrays), ...unreadColumns(source.unread)];
    this.#findings = source.findings;
  }

  async *chunks(plan: TablePlan): AsyncGenerator<TableChunk> {
    const columns = [...plan.numbers, ...plan.stamps.map(({ column }) => column), ...plan.texts];
    const planned = new Set(
      (plan.key === null ? columns : [...columns, plan.key]).map((column) => this.#array(column)),
    );
    const rows = mostCommonRows(planned.size > 0 ? [...planned] : [...this.#arrays.values()]);
    assertStepCount(rows, this.#source.path);
    this.#findings.push(...lengthFindings(this.#source.path, planned, rows));
    for (const dataset of planned)
      await this.#attempt(dataset, () => assertStored(dataset, this.#source.path));
    this.#stamps = plan.stamps.map(({ unit }) => new StampParser(unit));
    const step = rowsPerChunk(planned, plan.texts.length > 0 || plan.key !== null);
    for (let from = 0; from < rows; from += step) {
      const to = Math.min(rows, from + step);
      const chunk = await this.#chunk(plan, from, to);
      this.position = Math.round((this.#source.bytes * to) / rows);
      yield chunk;
    }
    this.position = this.#source.bytes;
  }

  async #chunk(plan: TablePlan, from: number, to: number): Promise<TableChunk> {
    const numbers: TableChunk['numbers'][number][] = [];
    for (const column of plan.numbers) numbers.push(await this.#numbers(this.#array(column), from, to));
    const stamps: Float64Array[] = [];
    for (const [at, { column }] of plan.stamps.entries())
      stamps.push(await this.#seconds(this.#array(column), this.#stamps[at], from, to));
    const texts: (string | null)[][] = [];
    for (const column of [...plan.texts, ...(plan.key === null ? [] : [plan.key])])
      texts.push(await this.#texts(this.#array(column), from, to));
    return {
      rows: to - from,
      numbers,
      stamps,
      keys: plan.key === null ? null : this.#keys(texts[texts.length - 1]),
      text: (column, row) => texts[column][row],
    };
  }

  async #numbers(dataset: RowArray, from: number, to: number): Promise<TableChunk['numbers'][number]> {
    const width = dataset.rowElements;
    const end = Math.min(to, dataset.rows);
    const read = end <= from ? null : await this.#attempt(dataset, () => dataset.readNumbers(from, end));
    const values = read === null ? new Float64Array(0) : toFloats(read);
    if (values.length === (to - from) * width) return { values, width };
    const padded = new Float64Array((to - from) * width).fill(Number.NaN);
    padded.set(values);
    return { values: padded, width };
  }

  /** Returns stamps in seconds since the first one. Integers are not converted to doubles before, to stay exact. */
  async #seconds(dataset: RowArray, parser: StampParser, from: number, to: number): Promise<Float64Array> {
    const time_s = new Float64Array(to - from).fill(Number.NaN);
    const end = Math.min(to, dataset.rows);
    const read =
      end <= from
        ? null
        : await this.#attempt<ArrayLike<number | bigint | string>>(dataset, () =>
            dataset.isNumeric ? dataset.readNumbers(from, end) : dataset.readTexts(from, end),
          );
    const width = dataset.isNumeric ? dataset.rowElements : 1;
    for (let row = 0; read !== null && row < end - from; row++)
      time_s[row] = parser.secondsOf(read[row * width]);
    return time_s;
  }

  async #texts(dataset: RowArray, from: number, to: number): Promise<(string | null)[]> {
    const end = Math.min(to, dataset.rows);
    const read =
      end <= from
        ? null
        : await this.#attempt<ArrayLike<number | bigint | string>>(dataset, () =>
            dataset.isNumeric ? dataset.readNumbers(from, end) : dataset.readTexts(from, end),
          );
    const width = dataset.isNumeric ? dataset.rowElements : 1;
    return Array.from({ length: to - from }, (_, row) => {
      const value = read?.[row * width];
      return value === undefined || value === '' ? null : String(value);
    });
  }

  /** Numbers the runs of rows with the same text. */
  #keys(texts: readonly (string | null)[]): Float64Array {
    return Float64Array.from(texts, (text) => {
      if (text !== this.#lastKey) this.#key++;
      this.#lastKey = text;
      return this.#key;
    });
  }

  /** Reads from an array; `null` if that fails, with a finding the first time. */
  async #attempt<T>(dataset: RowArray, read: () => Promise<T>): Promise<T | null> {
    if (this.#failed.has(dataset)) return null;
    try {
      return await read();
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.#failed.add(dataset);
      this.#findings.push(unreadableFinding(this.#source.path, dataset.path, thrown));
      return null;
    }
  }

  #array({ name }: TableColumn): RowArray {
    return this.#arrays.get(name) as RowArray;
  }

  origins(): readonly (bigint | null)[] {
    return this.#stamps.map(({ origin }) => origin);
  }

  takeFindings(): readonly Finding[] {
    return this.#findings.splice(0);
  }

  async values(): Promise<ReadonlyMap<string, FileValue>> {
    const columns = new Set(this.columns.map(({ name }) => name));
    const arrays = [...this.#arrays.keys()].filter((name) => !columns.has(name));
    const paths = [...((await this.#source.attributes?.names()) ?? []), ...arrays];
    const found = new Map<string, FileValue>();
    for (const path of paths.slice(0, maxValues)) {
      const value = await this.value(path);
      if (value !== null) found.set(path, value);
    }
    return found;
  }

  async value(path: string): Promise<FileValue | null> {
    if (!path.includes('@')) return nullIfUnreadable(readScalar(this.#arrays.get(path)));
    const value = (await this.#source.attributes?.get(path)) ?? null;
    return value === null ? null : toFileValue(value);
  }

  async frames(camera: PictureColumn, readsPictures: boolean): Promise<TableFrames | null> {
    const array = this.#arrays.get(camera.column);
    const path = array === undefined ? undefined : this.#source.fileOf?.(array);
    return array === undefined
      ? null
      : readArrayFrames(array, camera, path ?? this.#source.path, readsPictures);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.close();
  }
}

async function readScalar(dataset: RowArray | undefined): Promise<FileValue | null> {
  if (dataset === undefined || dataset.rows === 0 || dataset.rowElements !== 1) return null;
  if (dataset.type.kind === 'text')
    return dataset.type.bytes > maxTextBytes ? null : ((await dataset.readTexts(0, 1))[0] ?? null);
  return dataset.isNumeric ? toFileValue(await dataset.readNumbers(0, 1)) : null;
}

function toFileValue(value: Hdf5Value): FileValue | null {
  if (typeof value === 'string') return value.slice(0, maxTextBytes);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (value.length !== 1) return null;
  return typeof value[0] === 'string' ? value[0].slice(0, maxTextBytes) : Number(value[0]);
}

/** Returns the arrays with one row per sample; arrays of one row in a longer recording are values of the file. */
function listColumns(arrays: ReadonlyMap<string, RowArray>): TableColumn[] {
  const rows = mostCommonRows([...arrays.values()]);
  return [...arrays].flatMap(([name, dataset]): TableColumn[] => {
    const isColumn = dataset.shape.length > 0 && (dataset.rows !== 1 || rows === 1);
    return isColumn
      ? [{ name, kind: columnKind(dataset), precision: columnPrecision(dataset), rows: dataset.rows }]
      : [];
  });
}

/** Returns columns for arrays that cannot be read, so that a mapping that names one is answered with the reason. */
function unreadColumns(unread: ArraySource['unread']): TableColumn[] {
  return [...unread].map(([name, { message }]) => ({
    ...{ name, kind: 'other', precision: 'float64', unreadable: message },
  }));
}

function columnKind(dataset: RowArray): TableColumn['kind'] {
  const { rowElements } = dataset;
  if (dataset.type.kind === 'text') return rowElements === 1 ? 'text' : 'other';
  if (!dataset.isNumeric || rowElements === 0 || rowElements > maxWidth) return 'other';
  return rowElements === 1 ? 'number' : 'list';
}

function columnPrecision({ type }: RowArray): TableColumn['precision'] {
  const base = type.kind === 'enum' || type.kind === 'array' ? type.base : type;
  return base.bytes < 4 || (base.kind === 'float' && base.bytes === 4) ? 'float32' : 'float64';
}

/** Returns the number of rows that most arrays of more than one row have; the larger of equally frequent ones. */
function mostCommonRows(datasets: readonly RowArray[]): number {
  const counts = new Map<number, number>();
  for (const { rows, shape } of datasets) if (shape.length > 0) counts.set(rows, (counts.get(rows) ?? 0) + 1);
  const many = [...counts].filter(([rows]) => rows > 1);
  const [best] = (many.length > 0 ? many : [...counts]).sort(([a, x], [b, y]) => y - x || b - a);
  return best?.[0] ?? 0;
}

function rowsPerChunk(datasets: ReadonlySet<RowArray>, hasTexts: boolean): number {
  let rowBytes = 1;
  let fileChunk = 1;
  for (const { rowBytes: bytes, chunkRows } of datasets) {
    rowBytes += bytes;
    fileChunk = Math.max(fileChunk, chunkRows);
  }
  const fitting = Math.max(1, Math.floor(chunkBytes.target / rowBytes));
  const rows =
    fileChunk * rowBytes > chunkBytes.max ? fitting : Math.max(fileChunk, fitting - (fitting % fileChunk));
  return hasTexts ? Math.min(rows, textRows) : rows;
}

function lengthFindings(path: string, planned: Iterable<RowArray>, rows: number): Finding[] {
  const others = [...planned].filter((dataset) => dataset.rows !== rows);
  if (others.length === 0) return [];
  const listed = others.slice(0, 4).map((dataset) => `${dataset.path} ${dataset.rows}`);
  const more = others.length > listed.length ? ', …' : '';
  return [
    {
      code: 'array_length_mismatch',
      severity: 'error',
      path,
      message: `${path}: the mapped arrays have ${rows} rows, but some differ: ${listed.join(', ')}${more}; missing rows count as missing values, further rows are not read`,
      advice: 'write these arrays again with one row per sample, or remove them from the mapping',
      evidence: { rows, arrays: Object.fromEntries(others.slice(0, 20).map((one) => [one.path, one.rows])) },
    },
  ];
}

/** Returns the `array_unreadable` error for an array, with the reason. */
export function unreadableFinding(path: string, name: string, { message, advice }: AssayError): Finding {
  return {
    code: 'array_unreadable',
    severity: 'error',
    path,
    message: `${path}: cannot read ${name}: ${message}`,
    advice: advice ?? 'copy the file again',
  };
}
