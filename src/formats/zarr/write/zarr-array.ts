import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { writing } from '../../shared/write/files/writing.ts';

export interface ZarrArrayOptions {
  /** Of one row: `[7]`, `[480, 640, 3]`, `[]` for a number a row. */
  readonly rowShape: readonly number[];
  /** As NumPy writes it: `<f4`, `|u1`. */
  readonly dtype: '<f4' | '<f8' | '<i8' | '|u1';
  /** Rows a chunk. */
  readonly chunkRows: number;
}

const bytesOf = { '<f4': 4, '<f8': 8, '<i8': 8, '|u1': 1 } as const;

/** Writes one array of zarr format 2, row by row; chunks go along the first side alone and are packed by zstd. */
export class ZarrArray {
  readonly #folder: string;
  readonly #options: ZarrArrayOptions;
  readonly #chunk: Uint8Array;
  readonly #rowBytes: number;
  rows = 0;

  private constructor(folder: string, options: ZarrArrayOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#rowBytes = options.rowShape.reduce((all, side) => all * side, bytesOf[options.dtype]);
    this.#chunk = new Uint8Array(options.chunkRows * this.#rowBytes);
  }

  static async open(folder: string, options: ZarrArrayOptions): Promise<ZarrArray> {
    await writing(folder, mkdir(folder, { recursive: true }));
    return new ZarrArray(folder, options);
  }

  /** Adds whole rows. */
  async append(values: ArrayBufferView): Promise<void> {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const { chunkRows } = this.#options;
    for (let at = 0; at < bytes.length; at += this.#rowBytes) {
      const own = this.rows % chunkRows;
      this.#chunk.set(bytes.subarray(at, at + this.#rowBytes), own * this.#rowBytes);
      this.rows++;
      if (own === chunkRows - 1) await this.#flush(Math.floor((this.rows - 1) / chunkRows));
    }
  }

  async finish(): Promise<void> {
    const { chunkRows, rowShape, dtype } = this.#options;
    const left = this.rows % chunkRows;
    if (left > 0) {
      this.#chunk.fill(0, left * this.#rowBytes);
      await this.#flush(Math.floor(this.rows / chunkRows));
    }
    const about = {
      chunks: [chunkRows, ...rowShape],
      compressor: { id: 'zstd', level: 3 },
      dtype,
      fill_value: 0,
      filters: null,
      order: 'C',
      shape: [this.rows, ...rowShape],
      zarr_format: 2,
    };
    await writeFile(join(this.#folder, '.zarray'), `${JSON.stringify(about, null, 4)}\n`);
  }

  async #flush(chunk: number): Promise<void> {
    const path = join(this.#folder, [chunk, ...this.#options.rowShape.map(() => 0)].join('.'));
    await writing(path, writeFile(path, zstdCompressSync(this.#chunk)));
  }
}
