/** Where numbers of a log are kept: 32 bits wide where that loses nothing. */
export type NumberValues = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Row-major numbers that grow as rows come; memory is at most twice what they take, and exact once taken. */
export class GrowingValues<A extends NumberValues = NumberValues> {
  readonly dims: number;
  rows = 0;
  values: A;
  readonly #make: (buffer: ArrayBuffer) => A;

  constructor(dims: number, make: (buffer: ArrayBuffer) => A) {
    this.dims = dims;
    this.#make = make;
    this.values = make(new ArrayBuffer(0));
  }

  /** Makes room for further rows. */
  reserve(rows: number): void {
    const needed = (this.rows + rows) * this.dims;
    if (needed <= this.values.length) return;
    const length = Math.max(needed, this.values.length * 2);
    this.values = this.#make(this.values.buffer.transfer(length * this.values.BYTES_PER_ELEMENT));
  }

  /** All of it; nothing is left here. */
  take(): A {
    const bytes = this.rows * this.dims * this.values.BYTES_PER_ELEMENT;
    const all = this.#make(this.values.buffer.transfer(bytes));
    this.values = this.#make(new ArrayBuffer(0));
    this.rows = 0;
    return all;
  }
}

export const float32Values = (dims: number) => new GrowingValues(dims, (buffer) => new Float32Array(buffer));
export const float64Values = (dims: number) => new GrowingValues(dims, (buffer) => new Float64Array(buffer));
