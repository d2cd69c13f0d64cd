import { unpackBzip2 } from '../../compression/bzip2.ts';
import { unpackLz4Frame } from '../../compression/lz4-frame.ts';
import type { Unpacked } from '../../compression/unpacked.ts';

/** A chunk larger than this is not unpacked: recorders write less than a megabyte, and memory has to follow the chunk. */
export const maxChunkBytes = 256 * 1024 * 1024;

/**
 * Unpacks the records of a chunk, which says it holds `size` bytes. Throws RangeError for a compression that nobody
 * knows and for more than is unpacked at once; what is wrong inside is the fault of what came out.
 */
export function unpackChunk(packed: Uint8Array, compression: string, size: number): Unpacked {
  if (size > maxChunkBytes)
    throw new RangeError(`it says it unpacks to ${size} bytes, more than ${maxChunkBytes}`);
  const unpacked = unpack(packed, compression, size);
  const { length } = unpacked.bytes;
  if (unpacked.fault !== null || length === size) return unpacked;
  return { bytes: unpacked.bytes, fault: new RangeError(`it unpacks to ${length} bytes and says ${size}`) };
}

/** More than comes out of a chunk that does not say how much is in it. */
export function mostUnpacked(packed: Uint8Array, compression: string): number {
  return compression === 'lz4' ? Math.min(maxChunkBytes, packed.length * 255) : maxChunkBytes;
}

function unpack(packed: Uint8Array, compression: string, size: number): Unpacked {
  if (compression === 'lz4') return unpackLz4Frame(packed, size);
  if (compression === 'bz2') return unpackBzip2(packed, size);
  throw new RangeError(`its compression '${compression.slice(0, 40)}' is not known`);
}
