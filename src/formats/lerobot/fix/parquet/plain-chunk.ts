import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type ThriftStruct, type ThriftValue, thriftBytes, wire } from './thrift.ts';

/** Values of a flat column as they are stored. */
export type PlainValues = BigInt64Array | Int32Array | Float32Array | Float64Array;

/** Parquet's number of the type that these values are stored as. */
export const physicalTypes = { int32: 1, int64: 2, float: 4, double: 5 } as const;

/** A column chunk with nothing null: its pages, and what its footer entry says. */
export interface PlainChunk {
  readonly bytes: Uint8Array;
  readonly unpacked: number;
  readonly codec: number;
  readonly statistics: ThriftStruct;
}

const rowsOfPage = 131_072;

/** Writes values as plain pages, packed as the rest of the file is where that can be done here. */
export function plainChunk(values: PlainValues, optional: boolean, wanted: number): PlainChunk {
  const codec = wanted in packers ? wanted : 0;
  const parts: Uint8Array[] = [];
  let unpacked = 0;
  for (let from = 0; from < values.length || from === 0; from += rowsOfPage) {
    const page = values.subarray(from, from + rowsOfPage);
    const body = joined([optional ? allPresent(page.length) : new Uint8Array(0), bytesOf(page)]);
    const packed = packers[codec](body);
    const header = thriftBytes(pageHeader(page.length, body.length, packed.length));
    unpacked += header.length + body.length;
    parts.push(header, packed);
  }
  return { bytes: joined(parts), unpacked, codec, statistics: statisticsOf(values) };
}

const packers: Readonly<Record<number, (bytes: Uint8Array) => Uint8Array>> = {
  0: (bytes) => bytes,
  1: snappyLiteral,
  2: gzipSync,
  4: brotliCompressSync,
  6: zstdCompressSync,
};

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
        type: wire.struct,
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

export function i32(value: number): { type: number; value: ThriftValue } {
  return { type: wire.i32, value };
}

/** One run that says of every row that it has a value, behind its length. */
function allPresent(rows: number): Uint8Array {
  const run: number[] = [];
  let rest = rows * 2;
  while (rest > 127) {
    run.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  run.push(rest, 1);
  return Uint8Array.from([run.length, 0, 0, 0, ...run]);
}

function bytesOf(values: PlainValues): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function statisticsOf(values: PlainValues): ThriftStruct {
  const none: ThriftStruct = new Map([[3, { type: wire.i64, value: 0 }]]);
  if (values.length === 0 || values.some((value) => Number.isNaN(Number(value)))) return none;
  let [low, high] = [values[0], values[0]];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const one = (value: number | bigint) => {
    const single = values.slice(0, 1);
    (single as { [at: number]: number | bigint })[0] = value;
    return { type: wire.binary, value: bytesOf(single) };
  };
  return new Map([...none, [5, one(high)], [6, one(low)]]);
}

/** Snappy that says everything literally: what it holds is small, and mostly counts upwards. */
function snappyLiteral(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from(lengthOf(bytes.length))];
  for (let from = 0; from < bytes.length; from += 65_536) {
    const piece = bytes.subarray(from, from + 65_536);
    parts.push(Uint8Array.of(61 << 2, (piece.length - 1) & 255, (piece.length - 1) >> 8), piece);
  }
  return joined(parts);
}

function lengthOf(count: number): number[] {
  return count > 127 ? [(count % 128) | 128, ...lengthOf(Math.floor(count / 128))] : [count];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
