import { type ArrayMeta, copyNumbers, type Numbers, numbersFor, rowWidth } from './array-meta.ts';
import type { ChunkStore } from './chunk-store.ts';
import { decodeChunk, UnreadCodec } from './codecs.ts';

/** What reading rows of an array met. */
export interface ChunkNotes {
  /** Chunks that were asked for. */
  asked: number;
  /** Of them not there, so that the fill value stands in for them. */
  missing: number;
  /** Keys of chunks that do not decode, and why. */
  readonly damaged: { readonly key: string; readonly why: string }[];
  /** What the chunks are packed by and nobody here reads. */
  unread: string | null;
}

export function chunkNotes(): ChunkNotes {
  return { asked: 0, missing: 0, damaged: [], unread: null };
}

/** Compressed bytes may be a little more than plain ones. */
const headroom = 64 * 1024;
const listed = 8;

/** Reads rows (indexes of the first dimension) of an array, one chunk at a time; the last one is kept for the next call. */
export class ArrayReader {
  readonly meta: ArrayMeta;
  readonly width: number;
  readonly #store: ChunkStore;
  /** Chunks in each dimension but the first. */
  readonly #inner: readonly number[];
  /** Rows of a chunk lie in it as they lie in the array. */
  readonly #plain: boolean;
  #last: { readonly key: string; readonly bytes: Uint8Array } | null = null;

  constructor(store: ChunkStore, meta: ArrayMeta) {
    this.meta = meta;
    this.width = rowWidth(meta);
    this.#store = store;
    this.#inner = meta.shape.slice(1).map((size, d) => Math.ceil(size / meta.chunks[d + 1]));
    const whole = meta.chunks.every((size, d) => d === 0 || size === meta.shape[d]);
    this.#plain = whole && (meta.order === 'C' || meta.shape.length < 2);
  }

  get rows(): number {
    return this.meta.shape[0] ?? 0;
  }

  /** Rows [from, to) as numbers, row-major. What is missing is the fill value, what is damaged NaN. */
  async numbers(from: number, to: number, notes: ChunkNotes): Promise<Numbers> {
    const into = numbersFor(this.meta.type!, (to - from) * this.width);
    for (const [first, last] of this.blocks(from, to))
      await this.#readBlock(first, last, into, (first - from) * this.width, notes);
    return into;
  }

  /** Rows [from, to) cut where chunks end. */
  *blocks(from: number, to: number): Generator<readonly [first: number, last: number]> {
    const step = this.meta.chunks[0];
    for (let first = from; first < to; ) {
      const last = Math.min(to, (Math.floor(first / step) + 1) * step);
      yield [first, last];
      first = last;
    }
  }

  /**
   * Rows [first, last) of one block as bytes of little-endian elements; null where they are damaged or packed by what
   * is not read. Valid until the next call.
   */
  async rawBlock(first: number, last: number, notes: ChunkNotes): Promise<Uint8Array | null> {
    const type = this.meta.type!;
    const rowBytes = this.width * type.bytes;
    if (this.#plain && (type.little_endian || type.bytes === 1)) {
      const chunk = Math.floor(first / this.meta.chunks[0]);
      const bytes = await this.#chunk(this.keyOf([chunk, ...this.#inner.map(() => 0)]), notes);
      if (bytes === 'missing') return this.#filled((last - first) * this.width);
      if (bytes === 'damaged') return null;
      const start = first - chunk * this.meta.chunks[0];
      return bytes.subarray(start * rowBytes, (start + last - first) * rowBytes);
    }
    const before = notes.damaged.length;
    const numbers = numbersFor(type, (last - first) * this.width);
    await this.#readBlock(first, last, numbers, 0, notes);
    if (notes.damaged.length > before || notes.unread !== null) return null;
    return asStored(numbers, type.bytes);
  }

  /** The stored bytes of the chunk that row `row` alone makes up; null where it is absent or cannot be had. */
  async storedRow(row: number, notes: ChunkNotes): Promise<Uint8Array | null> {
    const key = this.keyOf([row, ...this.#inner.map(() => 0)]);
    notes.asked++;
    const stored = await this.#stored(key, notes);
    if (stored === null && notes.damaged.at(-1)?.key !== key) notes.missing++;
    return stored;
  }

  /** Whether each row is a chunk of its own. */
  get chunkPerRow(): boolean {
    return this.meta.chunks[0] === 1 && this.#inner.every((count) => count === 1);
  }

  keyOf(index: readonly number[]): string {
    return `${this.meta.key}/${index.join(this.meta.separator)}`;
  }

  /** Keys of the chunks that rows [from, to) lie in, there or not. */
  *keysOf(from: number, to: number): Generator<string> {
    for (const [first] of this.blocks(from, to))
      for (const inner of odometer(this.#inner))
        yield this.keyOf([Math.floor(first / this.meta.chunks[0]), ...inner]);
  }

  async #readBlock(first: number, last: number, into: Numbers, at: number, notes: ChunkNotes): Promise<void> {
    const { chunks, type, fill } = this.meta;
    const chunk = Math.floor(first / chunks[0]);
    for (const inner of odometer(this.#inner)) {
      const bytes = await this.#chunk(this.keyOf([chunk, ...inner]), notes);
      const stand = bytes === 'missing' ? fill : Number.NaN;
      if (this.#plain) {
        const count = (last - first) * this.width;
        if (typeof bytes === 'string') into.fill(stand, at, at + count);
        else copyNumbers(type!, bytes, (first - chunk * chunks[0]) * this.width, count, into, at);
      } else {
        const elements = chunks.reduce((product, size) => product * size, 1);
        const numbers = numbersFor(type!, elements);
        if (typeof bytes === 'string') numbers.fill(stand);
        else copyNumbers(type!, bytes, 0, elements, numbers, 0);
        this.#place(numbers, inner, [first - chunk * chunks[0], last - first], into, at);
      }
    }
  }

  /** Puts the part of a chunk that lies in the array where it belongs. */
  #place(
    numbers: Numbers,
    inner: readonly number[],
    [start, count]: readonly [number, number],
    into: Numbers,
    at: number,
  ): void {
    const { shape, chunks, order } = this.meta;
    const source = stridesOf(chunks, order);
    const target = stridesOf(shape, 'C');
    const extents = inner.map((chunk, d) => Math.min(chunks[d + 1], shape[d + 1] - chunk * chunks[d + 1]));
    const base = inner.reduce((sum, chunk, d) => sum + chunk * chunks[d + 1] * target[d + 1], 0);
    for (const index of odometer(extents)) {
      let from = start * source[0];
      let to = at + base;
      for (let d = 0; d < index.length; d++) {
        from += index[d] * source[d + 1];
        to += index[d] * target[d + 1];
      }
      for (let row = 0; row < count; row++) into[to + row * this.width] = numbers[from + row * source[0]];
    }
  }

  async #chunk(key: string, notes: ChunkNotes): Promise<Uint8Array | 'missing' | 'damaged'> {
    notes.asked++;
    if (this.#last?.key === key) return this.#last.bytes;
    const before = notes.damaged.length;
    const stored = await this.#stored(key, notes);
    if (stored === null) {
      if (notes.damaged.length > before) return 'damaged';
      notes.missing++;
      return 'missing';
    }
    try {
      const bytes = decodeChunk(this.meta, stored);
      this.#last = { key, bytes };
      return bytes;
    } catch (thrown) {
      if (thrown instanceof UnreadCodec) notes.unread = thrown.message;
      else this.#damaged(key, thrown, notes);
      return 'damaged';
    }
  }

  async #stored(key: string, notes: ChunkNotes): Promise<Uint8Array | null> {
    const { chunk_bytes } = this.meta;
    try {
      return await this.#store.get(key, Math.ceil(chunk_bytes * 1.1) + headroom);
    } catch (thrown) {
      this.#damaged(key, thrown, notes);
      return null;
    }
  }

  #damaged(key: string, thrown: unknown, notes: ChunkNotes): void {
    const why = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
    // Only the first are named; the count is the array's length.
    notes.damaged.push({ key, why: notes.damaged.length < listed ? why : '' });
  }

  #filled(count: number): Uint8Array {
    return asStored(numbersFor(this.meta.type!, count).fill(this.meta.fill), this.meta.type!.bytes);
  }
}

/** Numbers as the bytes of elements of that width. */
function asStored(numbers: Numbers, bytes: number): Uint8Array {
  if (bytes === 1) return Uint8Array.from(numbers);
  const narrow =
    bytes === 2
      ? Uint16Array.from(numbers)
      : bytes === 4
        ? Float32Array.from(numbers)
        : Float64Array.from(numbers);
  return new Uint8Array(narrow.buffer);
}

function stridesOf(sizes: readonly number[], order: 'C' | 'F'): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  if (order === 'C') for (let d = sizes.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * sizes[d + 1];
  else for (let d = 1; d < sizes.length; d++) strides[d] = strides[d - 1] * sizes[d - 1];
  return strides;
}

/** Every index of an array of these sizes, the last dimension fastest; the same list each time. */
function* odometer(sizes: readonly number[]): Generator<readonly number[]> {
  const index = sizes.map(() => 0);
  if (sizes.some((size) => size <= 0)) return;
  for (;;) {
    yield index;
    let d = sizes.length - 1;
    while (d >= 0 && ++index[d] === sizes[d]) index[d--] = 0;
    if (d < 0) return;
  }
}
