import { halfFloat } from '../half-float.ts';
import type { NumberField, NumberKind } from './number-row.ts';

/** Where a batch of rows lies, and how many of the starts count. */
export interface Rows {
  readonly view: DataView;
  readonly starts: Int32Array;
  readonly count: number;
}

/** Decodes one field of a batch of rows into every `stride`th place of `into` from `at` on. */
export type ColumnDecoder = (
  rows: Rows,
  offset: number,
  into: NumberValues,
  at: number,
  stride: number,
) => void;

const high = 4294967296;

/** One loop a kind of number, so that each compiles to what it is. 64-bit integers beyond 2^53 lose their last digits. */
export const columnDecoders: Readonly<Record<NumberKind, ColumnDecoder>> = {
  int8: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getInt8(starts[i] + offset);
  },
  uint8: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getUint8(starts[i] + offset);
  },
  int16: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getInt16(starts[i] + offset, true);
  },
  uint16: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getUint16(starts[i] + offset, true);
  },
  int32: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getInt32(starts[i] + offset, true);
  },
  uint32: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getUint32(starts[i] + offset, true);
  },
  int64: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) {
      const from = starts[i] + offset;
      into[at + i * stride] = view.getInt32(from + 4, true) * high + view.getUint32(from, true);
    }
  },
  uint64: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) {
      const from = starts[i] + offset;
      into[at + i * stride] = view.getUint32(from + 4, true) * high + view.getUint32(from, true);
    }
  },
  float16: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++)
      into[at + i * stride] = halfFloat(view.getUint16(starts[i] + offset, true));
  },
  float32: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getFloat32(starts[i] + offset, true);
  },
  float64: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getFloat64(starts[i] + offset, true);
  },
};

const one = new Float64Array(1);
const oneStart = new Int32Array(1);

/** One number of the message whose body starts at `start`. */
export function numberAt(view: DataView, start: number, { kind, offset, divisor }: NumberField): number {
  oneStart[0] = start;
  columnDecoders[kind]({ view, starts: oneStart, count: 1 }, offset, one, 0, 1);
  return one[0] / divisor;
}

/** Where numbers of a log are kept: 32 bits wide where that loses nothing. */
type NumberValues = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

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
