import {
  type ArrayMeta,
  copyNumbers,
  type Numbers,
  numbersFor,
  rowWidth,
  writeNumber,
} from './array-meta.ts';
import { decodeChunk, UnsupportedCodec } from './codecs.ts';
import type { ChunkStore } from './store.ts';

/** Statistics and errors of reading rows of an array. */
export interface ChunkStats {
  /** Number of requested chunks. */
  requested: number;
  /** Number of missing chunks, whose values are the fill value. */
  missing: number;
  /** Chunks that cannot be decoded, with the reason. */
  readonly damaged: { readonly key: string; readonly why: string }[];
  /** Codec of the chunks that is not supported; `null` if all are. */
  unread: string | null;
}

/** Returns statistics with all counts 0, to be filled while chunks are read. */
export function newChunkStats(): ChunkStats {
  return { requested: 0, missing: 0, damaged: [], unread: null };
}

/** Compressed chunks may be slightly larger than plain ones. */
const maxCompressionOverhead = 64 * 1024;
const maxNamedChunks = 8;

/** Reads rows (indices of the first dimension) of an array chunk by chunk; the last chunk is cached. */
export class ArrayReader {
  readonly meta: ArrayMeta;
  readonly width: number;
  readonly #store: ChunkStore;
  /** Number of chunks in each dimension except the first. */
  readonly #inner: readonly number[];
  /** True if rows have the same memory layout in a chunk as in the array. */
  readonly #plain: boolean;
  #last: { readonly key: string; readonly bytes: Uint8Array } | null = null;

  constructor(store: ChunkStore, meta: ArrayMeta) {
    this.meta = meta;
    this.width = rowWidth(meta);
    this.#store = store;
    this.#inner = meta.shape.slice(1).map((size, d) => Math.ceil(size / meta.chunks[d + 1]));
    const isFullWidth = meta.chunks.every((size, d) => d === 0 || size === meta.shape[d]);
    this.#plain = isFullWidth && (meta.order === 'C' || meta.shape.length < 2);
  }

  get rows(): number {
    return this.meta.shape[0] ?? 0;
  }

  /**
   * Reads rows `from` to before `to` as row-major numbers; missing chunks yield the fill value, damaged ones NaN, and
   * both are added to `stats`.
   */
  async readNumbers(from: number, to: number, stats: ChunkStats): Promise<Numbers> {
    const into = numbersFor(this.meta.type!, (to - from) * this.width);
    for (const [first, last] of this.blocks(from, to))
      await this.#readBlock(first, last, into, (first - from) * this.width, stats);
    return into;
  }

  /** Yields rows `from` to before `to`, divided at chunk boundaries. */
  *blocks(from: number, to: number): Generator<readonly [first: number, last: number]> {
    const step = this.meta.chunks[0];
    for (let first = from; first < to; ) {
      const last = Math.min(to, (Math.floor(first / step) + 1) * step);
      yield [first, last];
      first = last;
    }
  }

  /**
   * Reads rows [first, last) of one block as little-endian elements; `null` if they are damaged or their codec is not
   * supported. Valid until the next call.
   */
  async readBlockBytes(first: number, last: number, stats: ChunkStats): Promise<Uint8Array | null> {
    const type = this.meta.type!;
    const rowBytes = this.width * type.bytes;
    if (this.#plain && (type.little_endian || type.bytes === 1)) {
      const chunk = Math.floor(first / this.meta.chunks[0]);
      const bytes = await this.#chunk(this.chunkKey([chunk, ...this.#inner.map(() => 0)]), stats);
      if (bytes === 'missing') return this.#filled((last - first) * this.width);
      if (bytes === 'damaged') return null;
      const start = first - chunk * this.meta.chunks[0];
      return bytes.subarray(start * rowBytes, (start + last - first) * rowBytes);
    }
    const damagedBefore = stats.damaged.length;
    const numbers = numbersFor(type, (last - first) * this.width);
    await this.#readBlock(first, last, numbers, 0, stats);
    if (stats.damaged.length > damagedBefore || stats.unread !== null) return null;
    return toStoredBytes(numbers, type.bytes);
  }

  /**
   * Reads rows `from` to before `to` as elements in their own type and byte order, row by row, with the fill value for
   * missing chunks; throws RangeError if a chunk is damaged or its codec is not supported.
   */
  async readElements(from: number, to: number): Promise<Buffer<ArrayBuffer>> {
    const { chunks, item_bytes } = this.meta;
    const into = Buffer.alloc((to - from) * this.width * item_bytes);
    const stats = newChunkStats();
    for (const [first, last] of this.blocks(from, to)) {
      const chunk = Math.floor(first / chunks[0]);
      for (const inner of iterateIndices(this.#inner)) {
        const bytes = await this.#chunk(this.chunkKey([chunk, ...inner]), stats);
        if (bytes === 'damaged') throw new RangeError(damageOf(stats));
        const target = {
          start: first - chunk * chunks[0],
          count: last - first,
          at: (first - from) * this.width,
        };
        this.#copyElements(bytes === 'missing' ? filledChunk(this.meta) : bytes, inner, target, into);
      }
    }
    return into;
  }

  /** Copies the elements of a chunk that lie inside the array, by runs of the last dimension where these lie together. */
  #copyElements(
    from: Uint8Array,
    inner: readonly number[],
    { start, count, at }: { readonly start: number; readonly count: number; readonly at: number },
    into: Buffer,
  ): void {
    const { shape, chunks, order, item_bytes } = this.meta;
    const source = computeStrides(chunks, order);
    const target = computeStrides(shape, 'C');
    const extents = inner.map((chunk, d) => Math.min(chunks[d + 1], shape[d + 1] - chunk * chunks[d + 1]));
    const base = at + inner.reduce((sum, chunk, d) => sum + chunk * chunks[d + 1] * target[d + 1], 0);
    const run = order === 'C' && extents.length > 0 ? (extents.pop() ?? 1) : 1;
    for (let row = 0; row < count; row++)
      for (const index of iterateIndices(extents)) {
        let first = (start + row) * source[0];
        let to = base + row * this.width;
        for (let d = 0; d < index.length; d++) {
          first += index[d] * source[d + 1];
          to += index[d] * target[d + 1];
        }
        into.set(from.subarray(first * item_bytes, (first + run) * item_bytes), to * item_bytes);
      }
  }

  /**
   * Reads the stored bytes of a row that is a chunk of its own; `null`, counted in `stats`, if it is missing or
   * unreadable.
   */
  async readStoredRow(row: number, stats: ChunkStats): Promise<Uint8Array | null> {
    const key = this.chunkKey([row, ...this.#inner.map(() => 0)]);
    stats.requested++;
    const stored = await this.#stored(key, stats);
    if (stored === null && stats.damaged.at(-1)?.key !== key) stats.missing++;
    return stored;
  }

  /** True if each row is one chunk. */
  get hasChunkPerRow(): boolean {
    return this.meta.chunks[0] === 1 && this.#inner.every((count) => count === 1);
  }

  /** Returns the key in the store of the chunk with this index in each dimension. */
  chunkKey(index: readonly number[]): string {
    const { key, chunk_prefix, separator } = this.meta;
    return `${key === '' ? '' : `${key}/`}${chunk_prefix}${index.join(separator)}`;
  }

  /** Yields the keys of the chunks of rows [from, to), present or not. */
  *chunkKeys(from: number, to: number): Generator<string> {
    for (const [first] of this.blocks(from, to))
      for (const inner of iterateIndices(this.#inner))
        yield this.chunkKey([Math.floor(first / this.meta.chunks[0]), ...inner]);
  }

  async #readBlock(first: number, last: number, into: Numbers, at: number, stats: ChunkStats): Promise<void> {
    const { chunks, type, fill } = this.meta;
    const chunk = Math.floor(first / chunks[0]);
    for (const inner of iterateIndices(this.#inner)) {
      const bytes = await this.#chunk(this.chunkKey([chunk, ...inner]), stats);
      const substitute = bytes === 'missing' ? fill : Number.NaN;
      if (this.#plain) {
        const count = (last - first) * this.width;
        if (typeof bytes === 'string') into.fill(substitute, at, at + count);
        else copyNumbers(type!, bytes, (first - chunk * chunks[0]) * this.width, count, into, at);
      } else {
        const elements = chunks.reduce((product, size) => product * size, 1);
        const numbers = numbersFor(type!, elements);
        if (typeof bytes === 'string') numbers.fill(substitute);
        else copyNumbers(type!, bytes, 0, elements, numbers, 0);
        this.#copyChunk(numbers, inner, [first - chunk * chunks[0], last - first], into, at);
      }
    }
  }

  /** Copies the part of a chunk that lies inside the array to its position in `into`. */
  #copyChunk(
    numbers: Numbers,
    inner: readonly number[],
    [start, count]: readonly [number, number],
    into: Numbers,
    at: number,
  ): void {
    const { shape, chunks, order } = this.meta;
    const source = computeStrides(chunks, order);
    const target = computeStrides(shape, 'C');
    const extents = inner.map((chunk, d) => Math.min(chunks[d + 1], shape[d + 1] - chunk * chunks[d + 1]));
    const base = inner.reduce((sum, chunk, d) => sum + chunk * chunks[d + 1] * target[d + 1], 0);
    for (const index of iterateIndices(extents)) {
      let from = start * source[0];
      let to = at + base;
      for (let d = 0; d < index.length; d++) {
        from += index[d] * source[d + 1];
        to += index[d] * target[d + 1];
      }
      for (let row = 0; row < count; row++) into[to + row * this.width] = numbers[from + row * source[0]];
    }
  }

  async #chunk(key: string, stats: ChunkStats): Promise<Uint8Array | 'missing' | 'damaged'> {
    stats.requested++;
    if (this.#last?.key === key) return this.#last.bytes;
    const damagedBefore = stats.damaged.length;
    const stored = await this.#stored(key, stats);
    if (stored === null) {
      if (stats.damaged.length > damagedBefore) return 'damaged';
      stats.missing++;
      return 'missing';
    }
    try {
      const bytes = decodeChunk(this.meta, stored);
      this.#last = { key, bytes };
      return bytes;
    } catch (thrown) {
      if (thrown instanceof UnsupportedCodec) stats.unread = thrown.message;
      else this.#damaged(key, thrown, stats);
      return 'damaged';
    }
  }

  async #stored(key: string, stats: ChunkStats): Promise<Uint8Array | null> {
    const { chunk_bytes } = this.meta;
    try {
      return await this.#store.get(key, Math.ceil(chunk_bytes * 1.1) + maxCompressionOverhead);
    } catch (thrown) {
      this.#damaged(key, thrown, stats);
      return null;
    }
  }

  #damaged(key: string, thrown: unknown, stats: ChunkStats): void {
    const why = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
    // Only the first ones keep their reason; the count is the array's length.
    stats.damaged.push({ key, why: stats.damaged.length < maxNamedChunks ? why : '' });
  }

  #filled(count: number): Uint8Array {
    return toStoredBytes(numbersFor(this.meta.type!, count).fill(this.meta.fill), this.meta.type!.bytes);
  }
}

/** Returns why a chunk could not be read. */
function damageOf({ unread, damaged }: ChunkStats): string {
  const last = damaged.at(-1);
  return unread ?? (last === undefined ? 'a chunk is damaged' : `chunk ${last.key}: ${last.why}`);
}

/** Returns a chunk of the fill value. */
function filledChunk({ type, fill, chunk_bytes, item_bytes }: ArrayMeta): Uint8Array {
  const chunk = Buffer.alloc(chunk_bytes);
  if (type === null || fill === 0) return chunk;
  const item = new DataView(chunk.buffer, chunk.byteOffset, item_bytes);
  writeNumber(type, item, fill);
  return chunk.fill(Uint8Array.from(chunk.subarray(0, item_bytes)));
}

/** Returns the numbers as bytes of elements of the given width. */
function toStoredBytes(numbers: Numbers, bytes: number): Uint8Array {
  if (bytes === 1) return Uint8Array.from(numbers);
  const narrow =
    bytes === 2
      ? Uint16Array.from(numbers)
      : bytes === 4
        ? Float32Array.from(numbers)
        : Float64Array.from(numbers);
  return new Uint8Array(narrow.buffer);
}

function computeStrides(sizes: readonly number[], order: 'C' | 'F'): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  if (order === 'C') for (let d = sizes.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * sizes[d + 1];
  else for (let d = 1; d < sizes.length; d++) strides[d] = strides[d - 1] * sizes[d - 1];
  return strides;
}

/** Yields every index of an array with these sizes, last dimension fastest. The same list object is reused. */
function* iterateIndices(sizes: readonly number[]): Generator<readonly number[]> {
  const index = sizes.map(() => 0);
  if (sizes.some((size) => size <= 0)) return;
  for (;;) {
    yield index;
    let d = sizes.length - 1;
    while (d >= 0 && ++index[d] === sizes[d]) index[d--] = 0;
    if (d < 0) return;
  }
}
