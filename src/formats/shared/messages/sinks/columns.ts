const firstBlock = 64;
const largestBlock = 16_384;

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Numbers that come one after another and whose count nobody knows: blocks, joined once at the end. */
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

  /** The first `count` values of `from`. */
  append(from: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.#used === this.#block.length) this.#grow();
      this.#block[this.#used++] = from[i];
    }
    this.length += count;
  }

  fill(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.push(value);
  }

  /** All of it in one array. */
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

  /** All of it in one array; each block is given back as soon as it is copied, so that little is held twice. */
  take(): A {
    const all = this.#make(this.length);
    const last = this.#block.subarray(0, this.#used);
    let at = 0;
    for (const block of [...this.#blocks, last]) {
      all.set(block, at);
      at += block.length;
      // Frees the memory now: the collector looks at arrays only when many megabytes have gathered.
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

export const float64Column = (): Column => new Column((length) => new Float64Array(length));
export const float32Column = (): Column<Float32Array<ArrayBuffer>> =>
  new Column((length) => new Float32Array(length));
export const uint32Column = (): Column<Uint32Array<ArrayBuffer>> =>
  new Column((length) => new Uint32Array(length));
