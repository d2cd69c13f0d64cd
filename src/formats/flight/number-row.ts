/** How a number lies in a log's message, little-endian. */
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

/** One number of a message. */
export interface NumberField {
  /** As a flight engineer knows it: `q[0]`, `VibeX`. */
  readonly name: string;
  readonly kind: NumberKind;
  /** Bytes from the start of the message's body. */
  readonly offset: number;
  /** What the stored number is divided by (100 for centidegrees stored as integers); 1 for most. */
  readonly divisor: number;
}

/** Whether every value of a field is exact as a 32-bit float. */
export function fitsFloat32({ kind, divisor }: NumberField): boolean {
  if (divisor !== 1) return false;
  return kind === 'float32' || kind === 'float16' || numberBytes[kind] === 1 || kind.endsWith('int16');
}

const kinds = Object.keys(numberBytes) as readonly NumberKind[];
const high = 4294967296;

/** Decodes the numbers of one message type into a row that is filled anew for each message. */
export class RowDecoder {
  readonly row: Float64Array;
  /** Bytes that a body must have. */
  readonly needed: number;
  readonly #kinds: Uint8Array;
  readonly #offsets: Int32Array;
  readonly #divisors: Float64Array | null;

  constructor(fields: readonly NumberField[]) {
    this.row = new Float64Array(fields.length);
    this.needed = fields.reduce((most, { kind, offset }) => Math.max(most, offset + numberBytes[kind]), 0);
    this.#kinds = Uint8Array.from(fields, ({ kind }) => kinds.indexOf(kind));
    this.#offsets = Int32Array.from(fields, ({ offset }) => offset);
    this.#divisors = fields.every(({ divisor }) => divisor === 1)
      ? null
      : Float64Array.from(fields, ({ divisor }) => divisor);
  }

  /** `at`: where the body starts in `view`; at least `needed` bytes must follow. */
  decode(view: DataView, at: number): Float64Array {
    const { row } = this;
    const codes = this.#kinds;
    const offsets = this.#offsets;
    for (let i = 0; i < codes.length; i++) row[i] = numberAt(view, at + offsets[i], codes[i]);
    if (this.#divisors !== null) for (let i = 0; i < row.length; i++) row[i] /= this.#divisors[i];
    return row;
  }
}

/** 64-bit integers beyond 2^53 lose their last digits; no time in microseconds comes near. */
function numberAt(view: DataView, at: number, code: number): number {
  switch (code) {
    case 0:
      return view.getInt8(at);
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getInt16(at, true);
    case 3:
      return view.getUint16(at, true);
    case 4:
      return view.getInt32(at, true);
    case 5:
      return view.getUint32(at, true);
    case 6:
      return view.getInt32(at + 4, true) * high + view.getUint32(at, true);
    case 7:
      return view.getUint32(at + 4, true) * high + view.getUint32(at, true);
    case 8:
      return halfFloat(view.getUint16(at, true));
    case 9:
      return view.getFloat32(at, true);
    default:
      return view.getFloat64(at, true);
  }
}

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
