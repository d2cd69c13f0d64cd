import type { Finding, Stream } from '#core/episode';
import type { ClockMapping, PictureColumn } from './mapping.ts';

/** A column of a table. Kind `time` is a timestamp type, which needs no unit. */
export interface TableColumn {
  readonly name: string;
  readonly kind: 'number' | 'list' | 'time' | 'text' | 'other';
  readonly precision: 'float32' | 'float64';
  /** Number of rows, in containers whose columns may differ in it. */
  readonly rows?: number;
  /** Reason why its values cannot be read; absent if they can. */
  readonly unreadable?: string;
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

/** A value of a whole file, such as a text or a rate. */
export type FileValue = string | number | boolean;

/** Pictures of a column, as a stream without clock, and what was found while reading them. */
export interface TableFrames {
  readonly stream: Stream;
  readonly findings: readonly Finding[];
}

/** An open table, which can be read once. */
export interface Table extends AsyncDisposable {
  readonly columns: readonly TableColumn[];
  /** Files that the table is read from; absent for one file. */
  readonly sources?: readonly string[];
  /** Bytes read so far, for progress. */
  readonly position: number;
  /** Yields the planned columns of all rows in batches; may be called once. */
  chunks(plan: TablePlan): AsyncIterable<TableChunk>;
  /** First stamp of each clock in nanoseconds as written, available once rows were read; `null` if there is none. */
  origins(): readonly (bigint | null)[];
  /** Returns findings about rows with this key (0 without an episode column) and clears them. */
  takeFindings(key: number): readonly Finding[];
  /** Paths of the values that belong to the whole file, with their values, at most 1000; absent if it has none. */
  values?(): Promise<ReadonlyMap<string, FileValue>>;
  /** Returns the value at a path; `null` if there is none. Absent if the container has no such values. */
  value?(path: string): Promise<FileValue | null>;
  /**
   * Reads the pictures that a column stores; `null` if it stores none. Absent if the container stores no pictures.
   * @param readsPictures false if only size and number of the pictures are needed
   */
  frames?(camera: PictureColumn, readsPictures: boolean): Promise<TableFrames | null>;
}
