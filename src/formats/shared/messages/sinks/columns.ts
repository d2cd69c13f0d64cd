const firstBlock = 64;
const largestBlock = 16_384;

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Growing numeric column in blocks, which are joined at the end. */
export class Column<A extends Numbers = Float64Array<ArrayBuffer>> {
  length = 0;
  readonly #make: (length: number) => A;
  #blocks: A[] = [];
  #block: A;
  #used = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#block = make(firstBlock);
  }

  push(value: number): void {
    if (this.#used === this.#block.length) this.#grow();
    this.#block[this.#used++] = value;
    this.length++;
  }

  /** Appends the first `count` values of `from`. */
  append(from: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.#used === this.#block.length) this.#grow();
      this.#block[this.#used++] = from[i];
    }
    this.length += count;
  }

  /** Appends `count` copies of a value. */
  fill(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.push(value);
  }

  /** Returns a copy of all values in one array. */
  copy(): A {
    const all = this.#make(this.length);
    let at = 0;
    for (const block of this.#blocks) {
      all.set(block, at);
      at += block.length;
    }
    all.set(this.#block.subarray(0, this.#used), at);
    return all;
  }

  /**
   * Returns all values in one array and empties the column; each block is freed once it is copied, to limit peak
   * memory.
   */
  take(): A {
    const all = this.#make(this.length);
    const last = this.#block.subarray(0, this.#used);
    let at = 0;
    for (const block of [...this.#blocks, last]) {
      all.set(block, at);
      at += block.length;
      // Frees the memory now: garbage collection would wait until many megabytes have accumulated.
      block.buffer.transfer(0);
    }
    this.#blocks = [];
    this.#block = this.#make(0);
    this.#used = 0;
    return all;
  }

  #grow(): void {
    this.#blocks.push(this.#block);
    this.#block = this.#make(Math.min(largestBlock, Math.max(firstBlock, this.#block.length * 2)));
    this.#used = 0;
  }
}

/** Creates an empty float64 column. */
export const float64Column = (): Column => new Column((length) => new Float64Array(length));
/** Creates an empty float32 column. */
export const float32Column = (): Column<Float32Array<ArrayBuffer>> =>
  new Column((length) => new Float32Array(length));
/** Creates an empty uint32 column. */
export const uint32Column = (): Column<Uint32Array<ArrayBuffer>> =>
  new Column((length) => new Uint32Array(length));
