import { unpackBzip2 } from '../shared/compression/bzip2.ts';
import { unpackLz4Frame } from '../shared/compression/lz4-frame.ts';
import type { UnpackResult } from '../shared/compression/unpacked.ts';

/** Largest decompressed chunk size, in bytes. Larger chunks are refused to bound memory. */
export const maxChunkBytes = 256 * 1024 * 1024;

interface Compression {
  readonly unpack: (packed: Uint8Array, size: number) => UnpackResult;
  /**
   * Highest expansion ratio of the compression: 255 for LZ4 (one length byte), 1,200,000 for bzip2 (46 MB from 40
   * bytes).
   */
  readonly maxRatio: number;
}

const compressions: ReadonlyMap<string, Compression> = new Map([
  ['lz4', { unpack: unpackLz4Frame, maxRatio: 255 }],
  ['bz2', { unpack: unpackBzip2, maxRatio: 1_200_000 }],
]);

/**
 * Decompresses a chunk with declared size `size` (`null`: undeclared), with damage as the result's `fault`; throws
 * RangeError for an unknown compression or a size above the limit, before anything is allocated.
 */
export function unpackChunk(packed: Uint8Array, compression: string, size: number | null): UnpackResult {
  const { unpack } = findCompression(compression);
  const most = maxUnpackedBytes(compression, packed.length);
  if (size !== null && size > most)
    throw new RangeError(`decompressed size ${size} bytes, more than the limit of ${most}`);
  const unpacked = unpack(packed, size ?? most);
  return size === null ? unpacked : checkUnpackedSize(size, unpacked);
}

/**
 * Returns the maximum decompressed size that is allowed for `packed` bytes; throws RangeError for an unknown
 * compression.
 */
export function maxUnpackedBytes(compression: string, packed: number): number {
  return Math.min(maxChunkBytes, packed * findCompression(compression).maxRatio);
}

/** True if decompression takes longer than decoding the messages, so that worker threads help. */
export function isSlowCompression(compression: string): boolean {
  return compression === 'bz2';
}

/** Returns a decompressed chunk, with a fault added if its length differs from the declared size. */
export function checkUnpackedSize(size: number, unpacked: UnpackResult): UnpackResult {
  const { length } = unpacked.bytes;
  if (unpacked.fault !== null || length === size) return unpacked;
  return {
    bytes: unpacked.bytes,
    fault: new RangeError(`decompressed to ${length} bytes instead of the declared ${size}`),
  };
}

function findCompression(name: string): Compression {
  const known = compressions.get(name);
  if (known === undefined) throw new RangeError(`unknown compression '${name.slice(0, 40)}'`);
  return known;
}
