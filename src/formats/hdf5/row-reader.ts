import { messageOf } from '#kernel';
import { type ChunkedDataset, readChunkTable } from './chunk-index.ts';
import { type ChunkTable, firstFrom } from './chunk-table.ts';
import { elementsOf } from './dataspace.ts';
import { beyondLimit, damaged, type Place } from './faults.ts';
import type { FileBytes } from './file-bytes.ts';
import { type Filter, unpack } from './filters.ts';
import type { ChunkedLayout } from './layout.ts';
import { limits } from './limits.ts';

/** What reading the elements of one dataset takes. */
export interface StoredRows {
  readonly bytes: FileBytes;
  readonly shape: readonly number[];
  readonly elementBytes: number;
  readonly place: Place;
  /** One element; null: zeros. */
  readonly fill: Uint8Array | null;
}

/** Room for elements, filled with the fill value where it is not zeros. */
export function filled({ fill, elementBytes, place }: StoredRows, elements: number): Uint8Array<ArrayBuffer> {
  const length = elements * elementBytes;
  if (length > limits.answerBytes) throw beyondLimit(`${length} bytes asked for at once`, place);
  const bytes = new Uint8Array(length);
  if (fill === null || fill.length !== elementBytes || length === 0) return bytes;
  bytes.set(fill);
  for (let done = elementBytes; done < length; done *= 2)
    bytes.copyWithin(done, 0, Math.min(done, length - done));
  return bytes;
}

/** Rows of a dataset that lies in one piece. */
export async function readContiguous(
  rows: StoredRows,
  address: number | null,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const rowElements = elementsOf(rows.shape.slice(1));
  if (address === null) return filled(rows, (to - from) * rowElements);
  const rowBytes = rowElements * rows.elementBytes;
  const position = rows.bytes.base + address + from * rowBytes;
  const length = (to - from) * rowBytes;
  // Before room is made for it.
  if (position + length > rows.bytes.size) {
    throw damaged(
      `rows ${from} to ${to} lie behind the end of the file (${rows.bytes.size} bytes)`,
      rows.place,
    );
  }
  const bytes = filled({ ...rows, fill: null }, (to - from) * rowElements);
  await rows.bytes.fill(bytes, address + from * rowBytes);
  return bytes;
}

/** Unpacked chunks that are kept: a row of them where that fits, so that no order of reading unpacks one twice. */
const keptBytes = { least: 16 * 1024 * 1024, most: 128 * 1024 * 1024 };

/** Reads rows of a chunked dataset; the index is read once, and chunks unpacked last are kept. */
export class ChunkReader {
  readonly #rows: StoredRows;
  readonly #layout: ChunkedLayout;
  readonly #dataset: ChunkedDataset;
  readonly #filters: readonly Filter[];
  readonly #chunkBytes: number;
  #table: Promise<ChunkTable> | null = null;
  readonly #kept = new Map<number, Uint8Array>();
  readonly #mostKept: number;

  constructor(rows: StoredRows, dataset: ChunkedDataset, filters: readonly Filter[]) {
    this.#rows = rows;
    this.#dataset = dataset;
    this.#layout = dataset.layout;
    this.#filters = filters;
    this.#chunkBytes = elementsOf(this.#layout.chunk) * rows.elementBytes;
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
    for (let entry = first; entry < end; entry++) {
      const start = this.#startOf(table.number[entry]);
      this.#copy(await this.#unpacked(table, entry, start), start, into, from, to);
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

  async #unpacked(table: ChunkTable, entry: number, start: readonly number[]): Promise<Uint8Array> {
    const kept = this.#kept.get(entry);
    if (kept !== undefined) return kept;
    const { path, place } = this.#rows.place;
    const here = { path, place: `${place}, the chunk at [${start.join(', ')}]` };
    const { grid } = this.#dataset;
    const reachesOver = start.some((at, d) => at + grid.chunk[d] > grid.shape[d]);
    const filters = this.#layout.plainEdges && reachesOver ? [] : this.#filters;
    const stored = table.bytes[entry];
    if (stored > 2 * this.#chunkBytes + 65_536) throw damaged(`it takes ${stored} bytes`, here);
    const packed = new Uint8Array(stored);
    const position = this.#rows.bytes.base + table.address[entry];
    if (position + stored > this.#rows.bytes.size) {
      throw damaged(`it lies behind the end of the file (${this.#rows.bytes.size} bytes)`, here);
    }
    await this.#rows.bytes.fill(packed, table.address[entry]);
    try {
      const bytes = unpack(packed, filters, table.mask[entry], this.#chunkBytes);
      this.#kept.set(entry, bytes);
      if (this.#kept.size > this.#mostKept) this.#kept.delete(this.#kept.keys().next().value ?? entry);
      return bytes;
    } catch (thrown) {
      throw damaged(messageOf(thrown), here);
    }
  }

  /** Copies what a chunk and the rows asked for have in common, in the longest runs there are. */
  #copy(chunk: Uint8Array, start: readonly number[], into: Uint8Array, from: number, to: number): void {
    const { grid } = this.#dataset;
    const { elementBytes } = this.#rows;
    const rank = grid.shape.length;
    const low = start.map((at, d) => (d === 0 ? Math.max(at, from) : at));
    const high = start.map((at, d) => Math.min(at + grid.chunk[d], d === 0 ? to : grid.shape[d]));
    const size = high.map((end, d) => end - low[d]);
    if (size.some((length) => length <= 0)) return;
    const outShape = grid.shape.map((length, d) => (d === 0 ? to - from : length));
    // Trailing dimensions that chunk and rows share whole make one run with the dimension before them.
    let inner = rank - 1;
    while (inner > 0 && size[inner] === grid.chunk[inner] && size[inner] === outShape[inner]) inner--;
    const behind = elementsOf(grid.chunk.slice(inner + 1));
    const run = size[inner] * behind * elementBytes;
    const steps = elementsOf(size.slice(0, inner));
    const at = size.slice(0, inner).map(() => 0);
    for (let step = 0; step < steps; step++) {
      let source = 0;
      let target = 0;
      for (let d = 0; d < rank; d++) {
        const offset = d < inner ? at[d] : 0;
        source = source * grid.chunk[d] + (low[d] - start[d]) + offset;
        target = target * outShape[d] + (low[d] - (d === 0 ? from : 0)) + offset;
      }
      const first = source * elementBytes;
      into.set(chunk.subarray(first, first + run), target * elementBytes);
      for (let d = inner - 1; d >= 0; d--) {
        at[d]++;
        if (at[d] < size[d]) break;
        at[d] = 0;
      }
    }
  }
}
