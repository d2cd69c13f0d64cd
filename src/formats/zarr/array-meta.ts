import type { JsonObject, JsonValue } from '#core';
import { decodeHalfFloat } from '../shared/numbers.ts';

/** An array as described by its `.zarray` (zarr v2 specification) or `zarr.json` (v3). */
export interface ArrayMeta {
  /** `data/action`. */
  readonly key: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Element type; `null` if elements are not numbers. */
  readonly type: ElementType | null;
  /** Type as written, for messages. */
  readonly dtype: string;
  readonly compressor: JsonObject | null;
  readonly filters: readonly JsonObject[];
  /** Value of missing chunks. */
  readonly fill: number;
  readonly order: 'C' | 'F';
  readonly separator: string;
  /** Part of the keys of chunks before their numbers: `c/` in v3; empty in v2. */
  readonly chunk_prefix: string;
  /** Bytes of an element, also of texts of fixed length. */
  readonly item_bytes: number;
  /** Bytes of a decoded chunk. */
  readonly chunk_bytes: number;
}

const maxDimensions = 8;
/** Maximum bytes of a decoded chunk; libraries suggest 2 MB. */
const maxChunkBytes = 256 * 1024 * 1024;

/**
 * Parses the `.zarray` of an array of zarr 2, with `type` `null` for elements that are no numbers; throws RangeError
 * with the reason if it is invalid.
 */
export function parseArrayMeta(key: string, value: JsonValue): ArrayMeta {
  if (!isObject(value)) throw new RangeError('not a JSON object');
  if (value.zarr_format !== 2)
    throw new RangeError(`unsupported zarr_format ${JSON.stringify(value.zarr_format ?? null)}`);
  const shape = parseSizes(value.shape, 0);
  const chunks = parseSizes(value.chunks, 1);
  if (shape === null || chunks === null || shape.length !== chunks.length || shape.length > maxDimensions)
    throw new RangeError('shape and chunks are not two lists of equal length');
  const type = elementType(value.dtype);
  const item_bytes = type?.bytes ?? textBytes(value.dtype);
  const chunk_bytes = chunks.reduce((product, size) => product * size, item_bytes);
  if (!(chunk_bytes <= maxChunkBytes))
    throw new RangeError(`chunks have ${chunk_bytes} bytes; at most ${maxChunkBytes} are decoded`);
  return {
    ...{ key, shape, chunks, type, chunk_bytes, item_bytes, chunk_prefix: '' },
    dtype: typeof value.dtype === 'string' ? value.dtype : 'a structured dtype',
    compressor: isObject(value.compressor) ? value.compressor : null,
    filters: Array.isArray(value.filters) ? value.filters.filter(isObject) : [],
    fill: parseFill(value.fill_value, type),
    order: value.order === 'F' ? 'F' : 'C',
    separator: value.dimension_separator === '/' ? '/' : '.',
  };
}

/** NumPy types by their names in zarr 3, without byte order. */
const version3Types: Readonly<Record<string, string>> = {
  bool: 'b1',
  ...{ float16: 'f2', float32: 'f4', float64: 'f8' },
  ...{ int8: 'i1', int16: 'i2', int32: 'i4', int64: 'i8' },
  ...{ uint8: 'u1', uint16: 'u2', uint32: 'u4', uint64: 'u8' },
};

/**
 * Parses the `zarr.json` of an array of zarr 3 with a regular grid and chunks of bytes in one compression; throws
 * RangeError with the reason if it is invalid or not supported.
 */
export function parseVersion3Meta(key: string, value: JsonValue): ArrayMeta {
  if (!isObject(value) || value.zarr_format !== 3 || value.node_type !== 'array')
    throw new RangeError('not a zarr 3 array');
  const grid = settingsOf(value.chunk_grid);
  const keys = settingsOf(value.chunk_key_encoding);
  if (grid.name !== 'regular') throw new RangeError(`unsupported chunk grid ${JSON.stringify(grid.name)}`);
  const codecs = (Array.isArray(value.codecs) ? value.codecs : []).map(settingsOf);
  const bytes = codecs.find(({ name }) => name === 'bytes');
  const [compressor = null, ...more] = codecs.filter((codec) => codec !== bytes);
  if (more.length > 0 || (bytes === undefined && compressor === null))
    throw new RangeError(`unsupported codecs ${codecs.map(({ name }) => name).join(', ')}`);
  const type = version3Types[String(value.data_type)];
  const order = bytes?.configuration.endian === 'big' ? '>' : '<';
  const isDefault = keys.name !== 'v2';
  const separator = keys.configuration.separator ?? (isDefault ? '/' : '.');
  const meta = parseArrayMeta(key, {
    ...{ zarr_format: 2, shape: value.shape ?? null, chunks: grid.configuration.chunk_shape ?? null },
    dtype: type === undefined ? String(value.data_type) : `${order}${type}`,
    compressor: compressor === null ? null : { id: compressor.name },
    ...{ filters: null, fill_value: value.fill_value ?? null, order: 'C', dimension_separator: separator },
  });
  return { ...meta, chunk_prefix: isDefault ? `c${meta.separator}` : '' };
}

/** Returns name and settings of an extension point of zarr 3. */
function settingsOf(value: JsonValue | undefined): { name: string; configuration: JsonObject } {
  const { name, configuration } = isObject(value) ? value : {};
  return { name: String(name ?? value), configuration: isObject(configuration) ? configuration : {} };
}

/** Returns the bytes of a text of fixed length (`<U10`, `|S3`); 1 for other types. */
function textBytes(dtype: JsonValue | undefined): number {
  const [, kind, length] = typeof dtype === 'string' ? (/^[<>|]([SU])(\d{1,6})$/.exec(dtype) ?? []) : [];
  return kind === undefined ? 1 : Math.max(1, Number(length) * (kind === 'U' ? 4 : 1));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the number of chunks of the complete array. */
export function chunkCount({ shape, chunks }: ArrayMeta): number {
  return shape.reduce((product, size, d) => product * Math.ceil(size / chunks[d]), 1);
}

/** Returns the numbers per row (index of the first dimension). */
export function rowWidth({ shape }: ArrayMeta): number {
  return shape.slice(1).reduce((product, size) => product * size, 1);
}

function parseSizes(value: JsonValue | undefined, min: number): number[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.filter((size): size is number => Number.isSafeInteger(size) && Number(size) >= min);
  const product = found.reduce((a, b) => a * Math.max(1, b), 1);
  return found.length === value.length && Number.isSafeInteger(product) ? found : null;
}

/** Returns the fill value; without one, NaN for floats and 0 for other types. */
function parseFill(value: JsonValue | undefined, type: ElementType | null): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  return type?.float === true ? Number.NaN : 0;
}

/** A number type of an array. */
interface ElementType {
  readonly bytes: number;
  /** True if a double is needed to represent every value. */
  readonly needs_double: boolean;
  /** True for floats, which can represent unknown values as NaN. */
  readonly float: boolean;
  /** Name in the array's metadata without byte order: `f4`. */
  readonly name: string;
  readonly little_endian: boolean;
}

export type Numbers = Float32Array | Float64Array;

type ReadElement = (view: DataView, at: number, little: boolean) => number;

const elementReaders: Readonly<Record<string, ReadElement>> = {
  f2: (view, at, little) => decodeHalfFloat(view.getUint16(at, little)),
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

const elementWriters: Readonly<Record<string, (view: DataView, value: number, little: boolean) => void>> = {
  f2: (view, value, little) => view.setFloat16(0, value, little),
  f4: (view, value, little) => view.setFloat32(0, value, little),
  f8: (view, value, little) => view.setFloat64(0, value, little),
  b1: (view, value) => view.setUint8(0, value),
  u1: (view, value) => view.setUint8(0, value),
  i1: (view, value) => view.setInt8(0, value),
  u2: (view, value, little) => view.setUint16(0, value, little),
  i2: (view, value, little) => view.setInt16(0, value, little),
  u4: (view, value, little) => view.setUint32(0, value, little),
  i4: (view, value, little) => view.setInt32(0, value, little),
  u8: (view, value, little) => view.setBigUint64(0, toInteger(value), little),
  i8: (view, value, little) => view.setBigInt64(0, toInteger(value), little),
};

const toInteger = (value: number): bigint => BigInt(Number.isFinite(value) ? Math.trunc(value) : 0);

/** Writes a number as the first element of a view. */
export function writeNumber(type: ElementType, view: DataView, value: number): void {
  elementWriters[type.name](view, value, type.little_endian);
}

const float32Exact = new Set(['f2', 'f4', 'b1', 'u1', 'i1', 'u2', 'i2']);

/** Parses a NumPy type string (`<f4`, `|u1`); `null` for texts, records and objects, which are pickles. */
export function elementType(dtype: unknown): ElementType | null {
  const parts = typeof dtype === 'string' ? /^([<>|=]?)([a-z]\d)$/.exec(dtype) : null;
  if (parts === null || elementReaders[parts[2]] === undefined) return null;
  const [, order, name] = parts;
  return {
    name,
    bytes: Number(name[1]),
    needs_double: !float32Exact.has(name),
    float: name[0] === 'f',
    little_endian: order !== '>',
  };
}

/** Allocates a zero-filled array that can represent every value of a type. */
export function numbersFor(type: ElementType, length: number): Numbers {
  return type.needs_double ? new Float64Array(length) : new Float32Array(length);
}

/** Decodes `count` elements of `bytes`, from element `from`, in the byte order of `type`, to `into` at index `at`. */
export function copyNumbers(
  type: ElementType,
  bytes: Uint8Array,
  from: number,
  count: number,
  into: Numbers,
  at: number,
): void {
  const isSameType =
    (type.name === 'f4' && into instanceof Float32Array) ||
    (type.name === 'f8' && into instanceof Float64Array);
  if (isSameType && type.little_endian) {
    const raw = new Uint8Array(into.buffer, into.byteOffset + at * type.bytes, count * type.bytes);
    raw.set(bytes.subarray(from * type.bytes, (from + count) * type.bytes));
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = elementReaders[type.name];
  for (let i = 0; i < count; i++) into[at + i] = read(view, (from + i) * type.bytes, type.little_endian);
}
