import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { JsonObject } from '#core';
import { byteUnshuffle, unpackBlosc, unsupportedBloscCodec } from '../shared/compression/blosc.ts';
import { unpackLz4Block } from '../shared/compression/lz4-frame.ts';
import { type ArrayMeta, elementType } from './array-meta.ts';

type Unpack = (stored: Uint8Array, size: number) => Uint8Array;

/** Supported codecs of numcodecs by id. Each returns at most `size` bytes. */
const codecs: Readonly<Record<string, Unpack>> = {
  blosc: unpackBlosc,
  zlib: (stored, size) => inflateSync(stored, { maxOutputLength: Math.max(1, size) }),
  gzip: (stored, size) => gunzipSync(stored, { maxOutputLength: Math.max(1, size) }),
  zstd: (stored, size) => zstdDecompressSync(stored, { maxOutputLength: Math.max(1, size) }),
  lz4: unpackLz4,
};

/** Thrown if a chunk cannot be decoded. */
class DamagedChunk extends RangeError {}
/** Thrown if a chunk uses an unsupported codec, which says nothing about the chunk itself. */
export class UnsupportedCodec extends RangeError {}

/** Returns the unsupported codec or filter of an array by its id; `null` if all are supported. */
export function findUnsupportedCodec({ compressor, filters }: ArrayMeta): string | null {
  if (compressor !== null && codecs[codecId(compressor)] === undefined) return codecId(compressor);
  const filter = filters.find((row) => !isPlainDelta(row) && !isShuffle(row));
  return filter === undefined ? null : `the filter ${codecId(filter)}`;
}

/**
 * Decompresses a chunk and reverses its filters, to elements in the array's own type and order; throws
 * UnsupportedCodec, or RangeError if it is damaged.
 */
export function decodeChunk(meta: ArrayMeta, stored: Uint8Array): Uint8Array {
  const { compressor, chunk_bytes } = meta;
  if (compressor?.id === 'blosc' && stored.length > 2) {
    const inner = unsupportedBloscCodec(stored);
    if (inner !== null) throw new UnsupportedCodec(inner);
  }
  try {
    const plain = compressor === null ? stored : codecs[codecId(compressor)](stored, chunk_bytes);
    if (plain.length !== chunk_bytes)
      throw new RangeError(`decoded to ${plain.length} bytes instead of ${chunk_bytes}`);
    return meta.filters.length === 0 ? plain : meta.filters.reduceRight(undoFilter, plain);
  } catch (thrown) {
    throw new DamagedChunk(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function codecId({ id }: JsonObject): string {
  return typeof id === 'string' ? id : 'without an id';
}

/** Unpacks an LZ4 block, before which numcodecs writes the plain length (four bytes, little-endian). */
function unpackLz4(stored: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  const to = { output, filled: 0 };
  if (stored.length >= 4) unpackLz4Block(stored, 4, stored.length, to);
  return output.subarray(0, to.filled);
}

/** Returns true for a `delta` filter that keeps the type: each element is added to the previous one. */
function isPlainDelta({ id, dtype, astype }: JsonObject): boolean {
  return id === 'delta' && elementType(dtype) !== null && (astype === undefined || astype === dtype);
}

/** Returns true for a `shuffle` filter, which groups bytes by their position in the element. */
function isShuffle({ id, elementsize }: JsonObject): boolean {
  return id === 'shuffle' && Number.isInteger(elementsize) && Number(elementsize) > 0;
}

function undoFilter(bytes: Uint8Array, filter: JsonObject): Uint8Array {
  if (!isShuffle(filter)) return undoDelta(bytes, filter);
  const plain = new Uint8Array(bytes.length);
  byteUnshuffle(bytes, plain, Number(filter.elementsize));
  return plain;
}

type Elements =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

function undoDelta(bytes: Uint8Array, { dtype }: JsonObject): Uint8Array {
  const type = elementType(dtype);
  const copy = Uint8Array.from(bytes);
  const { buffer } = copy;
  if (type === null || !type.little_endian || buffer.byteLength % type.bytes !== 0)
    throw new RangeError('delta filter with an unsupported dtype');
  if (type.name === 'i8' || type.name === 'u8') {
    const integers = new BigInt64Array(buffer);
    for (let i = 1; i < integers.length; i++) integers[i] += integers[i - 1];
    return copy;
  }
  const elements = viewElements(type.name, buffer);
  for (let i = 1; i < elements.length; i++) elements[i] += elements[i - 1];
  return copy;
}

function viewElements(name: string, buffer: ArrayBuffer): Elements {
  switch (name) {
    case 'f4':
      return new Float32Array(buffer);
    case 'f8':
      return new Float64Array(buffer);
    case 'i1':
      return new Int8Array(buffer);
    case 'i2':
      return new Int16Array(buffer);
    case 'u2':
      return new Uint16Array(buffer);
    case 'i4':
      return new Int32Array(buffer);
    case 'u4':
      return new Uint32Array(buffer);
    case 'u1':
      return new Uint8Array(buffer);
    default:
      throw new RangeError(`delta filter with the unsupported dtype ${name}`);
  }
}
