import type { JsonObject, JsonValue } from '#core';

/** An array as its `.zarray` describes it (zarr v2 specification). */
export interface ArrayMeta {
  /** `data/action`. */
  readonly key: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Null: elements that are no numbers. */
  readonly type: ElementType | null;
  /** As written, for messages. */
  readonly dtype: string;
  readonly compressor: JsonObject | null;
  readonly filters: readonly JsonObject[];
  /** What a chunk that is not there stands for. */
  readonly fill: number;
  readonly order: 'C' | 'F';
  readonly separator: string;
  /** Bytes of a decoded chunk. */
  readonly chunk_bytes: number;
}

const mostDimensions = 8;
/** Libraries suggest 2 MB; a chunk beyond this is not decoded. */
const mostChunkBytes = 256 * 1024 * 1024;

/** Parses a `.zarray`. Throws RangeError that says what is wrong with it. */
export function parseArrayMeta(key: string, value: JsonValue): ArrayMeta {
  if (!isObject(value)) throw new RangeError('it is no JSON object');
  if (value.zarr_format !== 2)
    throw new RangeError(`it says zarr_format ${JSON.stringify(value.zarr_format ?? null)}`);
  const shape = sizes(value.shape, 0);
  const chunks = sizes(value.chunks, 1);
  if (shape === null || chunks === null || shape.length !== chunks.length || shape.length > mostDimensions)
    throw new RangeError('its shape and chunks are not two lists of as many sizes');
  const type = elementType(value.dtype);
  const chunk_bytes = chunks.reduce((product, size) => product * size, type?.bytes ?? 1);
  if (!(chunk_bytes <= mostChunkBytes))
    throw new RangeError(`its chunks are ${chunk_bytes} bytes; at most ${mostChunkBytes} are decoded`);
  return {
    ...{ key, shape, chunks, type, chunk_bytes },
    dtype: typeof value.dtype === 'string' ? value.dtype : 'a record type',
    compressor: isObject(value.compressor) ? value.compressor : null,
    filters: Array.isArray(value.filters) ? value.filters.filter(isObject) : [],
    fill: fillOf(value.fill_value, type),
    order: value.order === 'F' ? 'F' : 'C',
    separator: value.dimension_separator === '/' ? '/' : '.',
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Chunks that the array must have. */
export function chunkCount({ shape, chunks }: ArrayMeta): number {
  return shape.reduce((product, size, d) => product * Math.ceil(size / chunks[d]), 1);
}

/** Numbers of one row, that is of one index of the first dimension. */
export function rowWidth({ shape }: ArrayMeta): number {
  return shape.slice(1).reduce((product, size) => product * size, 1);
}

function sizes(value: JsonValue | undefined, least: number): number[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.filter((size): size is number => Number.isSafeInteger(size) && Number(size) >= least);
  const product = found.reduce((a, b) => a * Math.max(1, b), 1);
  return found.length === value.length && Number.isSafeInteger(product) ? found : null;
}

/** No fill value leaves a missing chunk undefined: NaN where the numbers can say so. */
function fillOf(value: JsonValue | undefined, type: ElementType | null): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  return type?.float === true ? Number.NaN : 0;
}

/** Numbers as an array stores them. */
interface ElementType {
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
