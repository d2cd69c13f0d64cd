import type { Hdf5Type, NumberArray } from '@assay/hdf5';

/**
 * An array whose first dimension is the rows, in an HDF5 file (`Hdf5Dataset`) or written by NumPy (`NpyArray`). Reading is
 * by ranges of rows, `from` to before `to`. A scalar is one row with an empty shape.
 */
export interface RowArray {
  /** Path in its file, or name. */
  readonly path: string;
  readonly shape: readonly number[];
  readonly rows: number;
  readonly type: Hdf5Type;
  /** Numbers per row. */
  readonly rowElements: number;
  readonly rowBytes: number;
  /** Rows of one compressed chunk; 1 if it is not chunked. */
  readonly chunkRows: number;
  readonly isNumeric: boolean;
  /** Bytes that it takes in the file. */
  storedBytes(): Promise<number>;
  readBytes(from?: number, to?: number): Promise<Uint8Array<ArrayBuffer>>;
  readNumbers(from?: number, to?: number): Promise<NumberArray>;
  readTexts(from?: number, to?: number): Promise<string[]>;
  /** Reads elements of variable length, such as JPEGs. */
  readItems(from?: number, to?: number): Promise<Uint8Array[]>;
}
