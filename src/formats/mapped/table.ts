import type { Finding } from '#core/episode';
import type { ClockMapping } from './mapping.ts';

/** A column of a table. Kind `time` is a timestamp type, which needs no unit. */
export interface TableColumn {
  readonly name: string;
  readonly kind: 'number' | 'list' | 'time' | 'text' | 'other';
  readonly precision: 'float32' | 'float64';
}

/** Columns to read from a table; chunks return them by position in these lists. */
export interface TablePlan {
  readonly numbers: readonly TableColumn[];
  readonly stamps: readonly { readonly column: TableColumn; readonly unit: ClockMapping['unit'] }[];
  readonly texts: readonly TableColumn[];
  /** Column whose value identifies the episode; `null` if there is none. */
  readonly key: TableColumn | null;
}

/** A batch of rows, valid until the next one is requested. */
export interface TableChunk {
  readonly rows: number;
  /** Row-major, `width` numbers per row; NaN for missing values. */
  readonly numbers: readonly { readonly values: Float32Array | Float64Array; readonly width: number }[];
  /** Seconds since the table's first stamp of that clock. */
  readonly stamps: readonly Float64Array[];
  /** Values that are equal for neighbouring rows of one episode. */
  readonly keys: Float64Array | null;
  /** Returns a cell of the column at this index in `texts`; the key column follows the last. `null` for empty cells. */
  text(column: number, row: number): string | null;
}

/** An open table, which can be read once. */
export interface Table extends AsyncDisposable {
  readonly columns: readonly TableColumn[];
  /** Bytes read so far, for progress. */
  readonly position: number;
  chunks(plan: TablePlan): AsyncIterable<TableChunk>;
  /** First stamp of each clock in nanoseconds as written, available once rows were read; `null` if there is none. */
  origins(): readonly (bigint | null)[];
  /** Returns findings about rows with this key (0 without an episode column) and clears them. */
  takeFindings(key: number): readonly Finding[];
}
