import type { Finding } from '#core/episode';
import type { ClockMapping } from './mapping.ts';

/** A column as its file has it. `time`: a type of its own for points in time, which needs no unit. */
export interface TableColumn {
  readonly name: string;
  readonly kind: 'number' | 'list' | 'time' | 'text' | 'other';
  readonly precision: 'float32' | 'float64';
}

/** What of a table is read; each list by position. */
export interface TablePlan {
  readonly numbers: readonly TableColumn[];
  readonly stamps: readonly { readonly column: TableColumn; readonly unit: ClockMapping['unit'] }[];
  readonly texts: readonly TableColumn[];
  /** Column that tells episodes apart. */
  readonly key: TableColumn | null;
}

/** Some rows, valid until the next are asked for. */
export interface TableChunk {
  readonly rows: number;
  /** Row-major, `width` numbers a row; NaN where nothing was. */
  readonly numbers: readonly { readonly values: Float32Array | Float64Array; readonly width: number }[];
  /** Seconds since the table's first stamp of that clock. */
  readonly stamps: readonly Float64Array[];
  /** Equal for neighbouring rows of one episode. */
  readonly keys: Float64Array | null;
  /** Of `texts`; the key column has the place behind the last. */
  text(column: number, row: number): string | null;
}

/** A table that is being read, once. */
export interface Table extends AsyncDisposable {
  readonly columns: readonly TableColumn[];
  /** Bytes read so far, for progress. */
  readonly position: number;
  chunks(plan: TablePlan): AsyncIterable<TableChunk>;
  /** First stamp of each clock in nanoseconds as written, once rows have come; null while there was none. */
  origins(): readonly (bigint | null)[];
  /** Of what did not fit in the rows with that key (0 where no column tells episodes apart), each once. */
  takeFindings(key: number): readonly Finding[];
}
