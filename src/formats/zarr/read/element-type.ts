/** Numbers as an array stores them. */
export interface ElementType {
  readonly bytes: number;
  /** A double is needed to hold every value. */
  readonly wide: boolean;
  /** A float: what is not known can be NaN. */
  readonly float: boolean;
  /** As the array's metadata names it, without the order of bytes: `f4`. */
  readonly name: string;
  readonly little_endian: boolean;
}

export type Numbers = Float32Array | Float64Array;

type Read = (view: DataView, at: number, little: boolean) => number;

const reads: Readonly<Record<string, Read>> = {
  f2: (view, at, little) => half(view.getUint16(at, little)),
  f4: (view, at, little) => view.getFloat32(at, little),
  f8: (view, at, little) => view.getFloat64(at, little),
  b1: (view, at) => view.getUint8(at),
  u1: (view, at) => view.getUint8(at),
  i1: (view, at) => view.getInt8(at),
  u2: (view, at, little) => view.getUint16(at, little),
  i2: (view, at, little) => view.getInt16(at, little),
  u4: (view, at, little) => view.getUint32(at, little),
  i4: (view, at, little) => view.getInt32(at, little),
  u8: (view, at, little) => Number(view.getBigUint64(at, little)),
  i8: (view, at, little) => Number(view.getBigInt64(at, little)),
};

const exact = new Set(['f2', 'f4', 'b1', 'u1', 'i1', 'u2', 'i2']);

/** The type that NumPy calls so (`<f4`, `|u1`); null for texts, records and objects, which are pickles. */
export function elementType(dtype: unknown): ElementType | null {
  const parts = typeof dtype === 'string' ? /^([<>|=]?)([a-z]\d)$/.exec(dtype) : null;
  if (parts === null || reads[parts[2]] === undefined) return null;
  const [, order, name] = parts;
  return {
    name,
    bytes: Number(name[1]),
    wide: !exact.has(name),
    float: name[0] === 'f',
    little_endian: order !== '>',
  };
}

/** An array that holds every value of a type, and 0 in every place. */
export function numbersFor(type: ElementType, length: number): Numbers {
  return type.wide ? new Float64Array(length) : new Float32Array(length);
}

/** Copies `count` elements from element `from` of `bytes` into `into`, from place `at` on. */
export function copyNumbers(
  type: ElementType,
  bytes: Uint8Array,
  from: number,
  count: number,
  into: Numbers,
  at: number,
): void {
  const same =
    (type.name === 'f4' && into instanceof Float32Array) ||
    (type.name === 'f8' && into instanceof Float64Array);
  if (same && type.little_endian) {
    const raw = new Uint8Array(into.buffer, into.byteOffset + at * type.bytes, count * type.bytes);
    raw.set(bytes.subarray(from * type.bytes, (from + count) * type.bytes));
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = reads[type.name];
  for (let i = 0; i < count; i++) into[at + i] = read(view, (from + i) * type.bytes, type.little_endian);
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
