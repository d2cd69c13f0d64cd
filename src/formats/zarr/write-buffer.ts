import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { AssayError } from '#core';
import type { ExportWriter, OpenWriter, WriterOptions, WrittenSet } from '../shared/write/export-format.ts';
import { withWriteErrors } from '../shared/write/output-files.ts';
import type { ExportEpisode } from '../shared/write/set/export-episode.ts';

/** Approximate bytes per chunk of a signal. */
const chunkBytes = 2 ** 20;

/**
 * Opens a writer for replay buffers in the layout of diffusion_policy: `data/<array>` over all episodes, and
 * `meta/episode_ends`.
 */
export const openReplayBuffer: OpenWriter = async (options) => new BufferWriter(options);

class BufferWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #arrays = new Map<string, ZarrArray>();
  readonly #sizes = new Map<string, string>();
  readonly #ends: bigint[] = [];
  #rows = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { plan } = this.#options;
    await this.#times(episode);
    for (const feature of plan.features) {
      const dtype = feature.type === 'float64' ? '<f8' : '<f4';
      const chunkRows = Math.max(1, Math.floor(chunkBytes / (feature.dims * (dtype === '<f8' ? 8 : 4))));
      const array = await this.#array(feature.key, { rowShape: [feature.dims], dtype, chunkRows });
      await array.append(episode.feature(feature).values);
    }
    for (const { key, stream } of plan.cameras) await this.#pictures(episode, key, stream);
    this.#rows += episode.rows;
    this.#ends.push(BigInt(this.#rows));
  }

  async finish(): Promise<WrittenSet> {
    const { folder, plan } = this.#options;
    for (const array of this.#arrays.values()) await array.finish();
    const chunkRows = Math.max(1, this.#ends.length);
    const ends = await ZarrArray.open(join(folder, 'meta/episode_ends'), {
      rowShape: [],
      dtype: '<i8',
      chunkRows,
    });
    await ends.append(BigInt64Array.from(this.#ends));
    await ends.finish();
    for (const group of ['', 'data', 'meta'])
      await writeFile(join(folder, group, '.zgroup'), `${JSON.stringify({ zarr_format: 2 }, null, 4)}\n`);
    const attributes = {
      rate_hz: plan.rate_hz,
      robot: plan.robot,
      arrays: Object.fromEntries(
        plan.features.map(({ key, names, unit, role }) => [key, { names, unit, role }]),
      ),
    };
    await writeFile(join(folder, '.zattrs'), `${JSON.stringify(attributes, null, 4)}\n`);
    return { rows: this.#rows, edits: plan.edits };
  }

  async close(): Promise<void> {}

  /** Appends the array `timestamp`, as in UMI; skipped if a signal has that name or times are unknown. */
  async #times({ grid: { time_s } }: ExportEpisode): Promise<void> {
    const { plan } = this.#options;
    if (Number.isNaN(time_s[0]) || plan.features.some(({ key }) => key === 'timestamp')) return;
    const time = await this.#array('timestamp', { rowShape: [], dtype: '<f8', chunkRows: chunkBytes / 8 });
    await time.append(time_s);
  }

  async #pictures(episode: ExportEpisode, key: string, stream: string): Promise<void> {
    let row = 0;
    for await (const frame of episode.decodedRows(stream)) {
      this.#options.signal.throwIfAborted();
      if (frame === null) throw missingPictureError(episode, stream, row);
      const { width_px, height_px, rgb } = frame;
      const size = `${width_px}x${height_px}`;
      const previous = this.#sizes.get(key) ?? size;
      this.#sizes.set(key, size);
      if (previous !== size) throw sizeChangeError(episode, stream, previous, size);
      const array = await this.#array(key, {
        rowShape: [height_px, width_px, 3],
        dtype: '|u1',
        chunkRows: 1,
      });
      await array.append(rgb);
      if (row++ % 32 === 0) this.#options.onStep();
    }
  }

  async #array(key: string, options: Parameters<typeof ZarrArray.open>[1]): Promise<ZarrArray> {
    const existing = this.#arrays.get(key);
    if (existing !== undefined) return existing;
    const created = await ZarrArray.open(join(this.#options.folder, 'data', key), options);
    this.#arrays.set(key, created);
    return created;
  }
}

function missingPictureError({ episode }: ExportEpisode, stream: string, row: number): AssayError {
  return new AssayError(
    'usage',
    `${episode.id} has no image of ${stream} for row ${row}, and every row of a zarr array needs one`,
    {
      advice: `exclude it with --without ${episode.id}`,
    },
  );
}

function sizeChangeError(
  { episode }: ExportEpisode,
  stream: string,
  previous: string,
  current: string,
): AssayError {
  return new AssayError(
    'usage',
    `${stream} is ${current} px in ${episode.id} but ${previous} px before; a zarr array needs one size`,
    {
      advice: `exclude it with --without ${episode.id}`,
    },
  );
}

interface ZarrArrayOptions {
  /** Shape of one row: `[7]`, `[480, 640, 3]`, `[]` for one number per row. */
  readonly rowShape: readonly number[];
  /** NumPy type string: `<f4`, `|u1`. */
  readonly dtype: '<f4' | '<f8' | '<i8' | '|u1';
  /** Rows per chunk. */
  readonly chunkRows: number;
}

const elementBytes = { '<f4': 4, '<f8': 8, '<i8': 8, '|u1': 1 } as const;

/**
 * Writes one array of zarr format 2 row by row. Chunks divide the first dimension only and are compressed with zstd.
 */
class ZarrArray {
  readonly #folder: string;
  readonly #options: ZarrArrayOptions;
  readonly #chunk: Uint8Array;
  readonly #rowBytes: number;
  rows = 0;

  private constructor(folder: string, options: ZarrArrayOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#rowBytes = options.rowShape.reduce((all, side) => all * side, elementBytes[options.dtype]);
    this.#chunk = new Uint8Array(options.chunkRows * this.#rowBytes);
  }

  static async open(folder: string, options: ZarrArrayOptions): Promise<ZarrArray> {
    await withWriteErrors(folder, mkdir(folder, { recursive: true }));
    return new ZarrArray(folder, options);
  }

  /** Appends complete rows. */
  async append(values: ArrayBufferView): Promise<void> {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const { chunkRows } = this.#options;
    for (let at = 0; at < bytes.length; at += this.#rowBytes) {
      const rowInChunk = this.rows % chunkRows;
      this.#chunk.set(bytes.subarray(at, at + this.#rowBytes), rowInChunk * this.#rowBytes);
      this.rows++;
      if (rowInChunk === chunkRows - 1) await this.#flush(Math.floor((this.rows - 1) / chunkRows));
    }
  }

  async finish(): Promise<void> {
    const { chunkRows, rowShape, dtype } = this.#options;
    const remaining = this.rows % chunkRows;
    if (remaining > 0) {
      this.#chunk.fill(0, remaining * this.#rowBytes);
      await this.#flush(Math.floor(this.rows / chunkRows));
    }
    const attributes = {
      chunks: [chunkRows, ...rowShape],
      compressor: { id: 'zstd', level: 3 },
      dtype,
      fill_value: 0,
      filters: null,
      order: 'C',
      shape: [this.rows, ...rowShape],
      zarr_format: 2,
    };
    await writeFile(join(this.#folder, '.zarray'), `${JSON.stringify(attributes, null, 4)}\n`);
  }

  async #flush(chunk: number): Promise<void> {
    const path = join(this.#folder, [chunk, ...this.#options.rowShape.map(() => 0)].join('.'));
    await withWriteErrors(path, writeFile(path, zstdCompressSync(this.#chunk)));
  }
}
