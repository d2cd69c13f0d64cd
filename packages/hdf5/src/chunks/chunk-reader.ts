import { elementsOf } from '../dataspace.ts';
import { damaged } from '../errors.ts';
import { type ChunkedDataset, readChunkTable } from './chunk-index.ts';
import { type ChunkTable, firstFrom } from './chunk-table.ts';
import { copyChunk } from './copy-chunk.ts';
import { type Filter, unpack } from './filters.ts';
import { PackedChunks } from './packed-chunks.ts';
import { filled, type StoredRows } from './row-reader.ts';

/** Unpacked chunks that are kept: a row of them where that fits, so that no order of reading unpacks one twice. */
const keptBytes = { least: 16 * 1024 * 1024, most: 128 * 1024 * 1024 };

/** Reads rows of a chunked dataset; the index is read once, and chunks unpacked last are kept. */
export class ChunkReader {
  readonly #rows: StoredRows;
  readonly #dataset: ChunkedDataset;
  readonly #filters: readonly Filter[];
  readonly #chunkBytes: number;
  #table: Promise<ChunkTable> | null = null;
  readonly #kept = new Map<number, Uint8Array>();
  readonly #mostKept: number;

  constructor(rows: StoredRows, dataset: ChunkedDataset, filters: readonly Filter[]) {
    this.#rows = rows;
    this.#dataset = dataset;
    this.#filters = filters;
    this.#chunkBytes = elementsOf(dataset.layout.chunk) * rows.elementBytes;
    const rowOfChunks = dataset.grid.strides[0] * this.#chunkBytes;
    const room = Math.min(keptBytes.most, Math.max(keptBytes.least, rowOfChunks));
    this.#mostKept = Math.max(1, Math.floor(room / this.#chunkBytes));
  }

  /** Bytes that its chunks take in the file. */
  async storedBytes(): Promise<number> {
    const { count, bytes } = await this.#chunks();
    let sum = 0;
    for (let i = 0; i < count; i++) sum += bytes[i];
    return sum;
  }

  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const { grid } = this.#dataset;
    const into = filled(this.#rows, (to - from) * elementsOf(grid.shape.slice(1)));
    if (into.length === 0) return into;
    const table = await this.#chunks();
    const chunkRows = grid.chunk[0];
    const first = firstFrom(table, Math.floor(from / chunkRows) * grid.strides[0]);
    const end = firstFrom(table, Math.ceil(to / chunkRows) * grid.strides[0]);
    const packed = new PackedChunks(this.#rows.bytes, table, end);
    const slab = { bytes: into, from, to, elementBytes: this.#rows.elementBytes };
    for (let entry = first; entry < end; entry++) {
      const start = this.#startOf(table.number[entry]);
      const chunk = this.#kept.get(entry) ?? (await this.#unpacked(table, packed, entry, start));
      copyChunk(grid, chunk, start, slab);
    }
    return into;
  }

  /** The dataset's element at which a chunk starts. */
  #startOf(number: number): number[] {
    const { grid } = this.#dataset;
    let left = number;
    return grid.strides.map((stride, d) => {
      const scaled = Math.floor(left / stride);
      left -= scaled * stride;
      return scaled * grid.chunk[d];
    });
  }

  #chunks(): Promise<ChunkTable> {
    this.#table ??= readChunkTable(this.#rows.bytes, this.#dataset);
    return this.#table;
  }

  async #unpacked(
    table: ChunkTable,
    packed: PackedChunks,
    entry: number,
    start: readonly number[],
  ): Promise<Uint8Array> {
    const { file, place } = this.#rows.place;
    const here = { file, place: `${place}, the chunk at [${start.join(', ')}]` };
    const { grid } = this.#dataset;
    const reachesOver = start.some((at, d) => at + grid.chunk[d] > grid.shape[d]);
    const filters = this.#dataset.layout.plainEdges && reachesOver ? [] : this.#filters;
    const stored = table.bytes[entry];
    if (stored > 2 * this.#chunkBytes + 65_536) throw damaged(`invalid stored size of ${stored} bytes`, here);
    const { base, size } = this.#rows.bytes;
    if (base + table.address[entry] + stored > size) {
      throw damaged(`it is beyond the end of the file (${size} bytes)`, here);
    }
    const bytes = await packed.read(entry);
    try {
      const whole = unpack(bytes, filters, table.mask[entry], this.#chunkBytes);
      if (filters.length > 0) this.#keep(entry, whole);
      return whole;
    } catch (thrown) {
      throw damaged(thrown instanceof Error ? thrown.message : String(thrown), here);
    }
  }

  #keep(entry: number, chunk: Uint8Array): void {
    this.#kept.set(entry, chunk);
    if (this.#kept.size > this.#mostKept) this.#kept.delete(this.#kept.keys().next().value ?? entry);
  }
}
