import type { Place } from '../errors.ts';
import { beyondLimit } from '../errors.ts';
import { limits } from '../limits.ts';

/** The grid of chunks over a dataset. */
export interface ChunkGrid {
  /** Elements of the dataset and of one chunk along each dimension. */
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  /** Chunks along each dimension, and numbers between neighbours along it. */
  readonly counts: readonly number[];
  readonly strides: readonly number[];
}

export function chunkGrid(shape: readonly number[], chunk: readonly number[]): ChunkGrid {
  const counts = shape.map((length, d) => Math.ceil(length / chunk[d]));
  return { shape, chunk, counts, strides: stridesOf(counts) };
}

/** Distance between neighbours along each dimension, the last one fastest. */
export function stridesOf(counts: readonly number[]): number[] {
  const strides = counts.map(() => 1);
  for (let d = counts.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * counts[d + 1];
  return strides;
}

/** Where the stored chunks of a dataset lie, by their number in the grid, ascending. */
export interface ChunkTable {
  readonly count: number;
  readonly number: Float64Array;
  readonly address: Float64Array;
  /** As stored. */
  readonly bytes: Float64Array;
  /** A bit for each filter that was left out. */
  readonly mask: Uint32Array;
}

/** Collects chunks in whatever order an index gives them. */
export class ChunkCollector {
  #numbers = new Float64Array(64);
  #addresses = new Float64Array(64);
  #bytes = new Float64Array(64);
  #masks = new Uint32Array(64);
  #count = 0;
  #ascending = true;
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  add(number: number, address: number, bytes: number, mask: number): void {
    const at = this.#count++;
    if (at === this.#numbers.length) this.#grow();
    if (at > 0 && this.#numbers[at - 1] >= number) this.#ascending = false;
    this.#numbers[at] = number;
    this.#addresses[at] = address;
    this.#bytes[at] = bytes;
    this.#masks[at] = mask;
  }

  table(): ChunkTable {
    const count = this.#count;
    const number = this.#numbers.subarray(0, count);
    const table = { count, number, address: this.#addresses, bytes: this.#bytes, mask: this.#masks };
    if (this.#ascending) return table;
    const order = Uint32Array.from(number.keys()).sort((a, b) => number[a] - number[b]);
    return {
      count,
      number: Float64Array.from(order, (i) => table.number[i]),
      address: Float64Array.from(order, (i) => table.address[i]),
      bytes: Float64Array.from(order, (i) => table.bytes[i]),
      mask: Uint32Array.from(order, (i) => table.mask[i]),
    };
  }

  #grow(): void {
    const size = this.#numbers.length * 2;
    if (size > 2 * limits.chunks) throw beyondLimit(`more than ${limits.chunks} chunks`, this.#place);
    const wider = (from: Float64Array): Float64Array<ArrayBuffer> => {
      const into = new Float64Array(size);
      into.set(from);
      return into;
    };
    this.#numbers = wider(this.#numbers);
    this.#addresses = wider(this.#addresses);
    this.#bytes = wider(this.#bytes);
    const masks = new Uint32Array(size);
    masks.set(this.#masks);
    this.#masks = masks;
  }
}

/** Index of the first chunk whose number is not below `number`. */
export function firstFrom({ number: numbers, count }: ChunkTable, number: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
