import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { encodeThrift, type ThriftStruct, type ThriftValue, wireTypes } from './thrift.ts';

/** Values of a flat column in their stored type. */
export type PlainValues = BigInt64Array | Int32Array | Float32Array | Float64Array;

/** Parquet ids of physical types. */
export const physicalTypes = { int32: 1, int64: 2, float: 4, double: 5 } as const;

/** An encoded column chunk without nulls, and the values of its footer entry. */
export interface PlainChunk {
  readonly bytes: Uint8Array;
  readonly uncompressedBytes: number;
  readonly codec: number;
  readonly statistics: ThriftStruct;
}

const rowsPerPage = 131_072;

/**
 * Encodes values as plain pages of 131,072 rows with statistics, compressed with `preferredCodec` if it is supported,
 * else uncompressed. `optional` adds definition levels that mark every row as present.
 */
export function encodePlainChunk(values: PlainValues, optional: boolean, preferredCodec: number): PlainChunk {
  const codec = preferredCodec in compressors ? preferredCodec : 0;
  const parts: Uint8Array[] = [];
  let unpacked = 0;
  for (let from = 0; from < values.length || from === 0; from += rowsPerPage) {
    const page = values.subarray(from, from + rowsPerPage);
    const body = concatBytes([optional ? encodeAllPresent(page.length) : new Uint8Array(0), asBytes(page)]);
    const packed = compressors[codec](body);
    const header = encodeThrift(pageHeader(page.length, body.length, packed.length));
    unpacked += header.length + body.length;
    parts.push(header, packed);
  }
  return {
    bytes: concatBytes(parts),
    uncompressedBytes: unpacked,
    codec,
    statistics: computeStatistics(values),
  };
}

/** Compressors by Parquet codec id. */
const compressors: Readonly<Record<number, (bytes: Uint8Array) => Uint8Array>> = {
  0: (bytes) => bytes,
  1: compressSnappyLiteral,
  2: gzipSync,
  4: brotliCompressSync,
  6: zstdCompressSync,
};

/** Builds the header of a data page. */
function pageHeader(rows: number, unpacked: number, packed: number): ThriftStruct {
  const plain = 0;
  const rle = 3;
  return new Map([
    [1, i32(0)],
    [2, i32(unpacked)],
    [3, i32(packed)],
    [
      5,
      {
        type: wireTypes.struct,
        value: new Map([
          [1, i32(rows)],
          [2, i32(plain)],
          [3, i32(rle)],
          [4, i32(rle)],
        ]),
      },
    ],
  ]);
}

/** Creates a 32-bit Thrift field. */
export function i32(value: number): { type: number; value: ThriftValue } {
  return { type: wireTypes.i32, value };
}

/** Encodes definition levels: one length-prefixed run that marks every row as present. */
function encodeAllPresent(rows: number): Uint8Array {
  const run: number[] = [];
  let rest = rows * 2;
  while (rest > 127) {
    run.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  run.push(rest, 1);
  return Uint8Array.from([run.length, 0, 0, 0, ...run]);
}

function asBytes(values: PlainValues): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Returns null count, minimum and maximum; only the null count for empty columns and columns with NaN. */
function computeStatistics(values: PlainValues): ThriftStruct {
  const none: ThriftStruct = new Map([[3, { type: wireTypes.i64, value: 0 }]]);
  if (values.length === 0 || values.some((value) => Number.isNaN(Number(value)))) return none;
  let [low, high] = [values[0], values[0]];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const one = (value: number | bigint) => {
    const single = values.slice(0, 1);
    (single as { [at: number]: number | bigint })[0] = value;
    return { type: wireTypes.binary, value: asBytes(single) };
  };
  return new Map([...none, [5, one(high)], [6, one(low)]]);
}

/** Compresses as Snappy literals: the data is small and mostly ascending. */
function compressSnappyLiteral(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from(encodeLength(bytes.length))];
  for (let from = 0; from < bytes.length; from += 65_536) {
    const piece = bytes.subarray(from, from + 65_536);
    parts.push(Uint8Array.of(61 << 2, (piece.length - 1) & 255, (piece.length - 1) >> 8), piece);
  }
  return concatBytes(parts);
}

function encodeLength(count: number): number[] {
  return count > 127 ? [(count % 128) | 128, ...encodeLength(Math.floor(count / 128))] : [count];
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
