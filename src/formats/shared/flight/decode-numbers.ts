import { decodeHalfFloat } from '../numbers.ts';

/** Batch of rows in a buffer: byte offsets of the first `count` rows. */
export interface Rows {
  readonly view: DataView;
  readonly starts: Int32Array;
  readonly count: number;
}

/** Decodes one field of a batch of rows into `into[at]`, `into[at + stride]`, … */
export type ColumnDecoder = (
  rows: Rows,
  offset: number,
  into: NumberValues,
  at: number,
  stride: number,
) => void;

const twoTo32 = 4294967296;

/** Column decoders by number kind, one loop each for speed. 64-bit integers beyond 2^53 lose precision. */
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
      into[at + i * stride] = view.getInt32(from + 4, true) * twoTo32 + view.getUint32(from, true);
    }
  },
  uint64: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) {
      const from = starts[i] + offset;
      into[at + i * stride] = view.getUint32(from + 4, true) * twoTo32 + view.getUint32(from, true);
    }
  },
  float16: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++)
      into[at + i * stride] = decodeHalfFloat(view.getUint16(starts[i] + offset, true));
  },
  float32: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getFloat32(starts[i] + offset, true);
  },
  float64: ({ view, starts, count }, offset, into, at, stride) => {
    for (let i = 0; i < count; i++) into[at + i * stride] = view.getFloat64(starts[i] + offset, true);
  },
};

const scratchValue = new Float64Array(1);
const scratchStart = new Int32Array(1);

/** Decodes one number of the message whose body starts at `start`, divided by the field's divisor. */
export function decodeNumberAt(
  view: DataView,
  start: number,
  { kind, offset, divisor }: NumberField,
): number {
  scratchStart[0] = start;
  columnDecoders[kind]({ view, starts: scratchStart, count: 1 }, offset, scratchValue, 0, 1);
  return scratchValue[0] / divisor;
}

/** Storage of log values: float32 if that is lossless, else float64. */
type NumberValues = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Growing row-major array. Allocates at most twice the needed memory; exact after `take`. */
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

  /** Ensures memory for this many further rows; `rows` does not change. */
  reserve(rows: number): void {
    const needed = (this.rows + rows) * this.dims;
    if (needed <= this.values.length) return;
    const length = Math.max(needed, this.values.length * 2);
    this.values = this.#make(this.values.buffer.transfer(length * this.values.BYTES_PER_ELEMENT));
  }

  /** Returns all values as an exactly sized array and empties this one. */
  take(): A {
    const bytes = this.rows * this.dims * this.values.BYTES_PER_ELEMENT;
    const all = this.#make(this.values.buffer.transfer(bytes));
    this.values = this.#make(new ArrayBuffer(0));
    this.rows = 0;
    return all;
  }
}

/** Creates a growing float32 array with `dims` numbers per row. */
export const float32Values = (dims: number) => new GrowingValues(dims, (buffer) => new Float32Array(buffer));
/** Creates a growing float64 array with `dims` numbers per row. */
export const float64Values = (dims: number) => new GrowingValues(dims, (buffer) => new Float64Array(buffer));

/** Binary type of a number in a log message; all little-endian. */
export type NumberKind =
  | 'int8'
  | 'uint8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'float16'
  | 'float32'
  | 'float64';

/** Size of each number kind in bytes. */
export const numberBytes: Readonly<Record<NumberKind, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float16: 2,
  float32: 4,
  float64: 8,
};

/** A numeric field of a log message. */
export interface NumberField {
  /** Name as in the autopilot's documentation: `q[0]`, `VibeX`. */
  readonly name: string;
  readonly kind: NumberKind;
  /** Byte offset from the start of the message body. */
  readonly offset: number;
  /** Divisor of the stored number (100 for centidegrees stored as integers); usually 1. */
  readonly divisor: number;
}

/** True if a 32-bit float represents every value of the field exactly. */
export function fitsFloat32({ kind, divisor }: NumberField): boolean {
  if (divisor !== 1) return false;
  return kind === 'float32' || numberBytes[kind] <= 2;
}

/** Returns the minimum body size in bytes that contains all of these fields; 0 for none. */
export function minBodyBytes(fields: readonly NumberField[]): number {
  return fields.reduce((most, { kind, offset }) => Math.max(most, offset + numberBytes[kind]), 0);
}
