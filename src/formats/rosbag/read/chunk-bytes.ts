import { unpackBzip2 } from '../../shared/compression/bzip2.ts';
import { unpackLz4Frame } from '../../shared/compression/lz4-frame.ts';
import type { Unpacked } from '../../shared/compression/unpacked.ts';

/** A chunk larger than this is not unpacked: recorders write less than a megabyte, and memory has to follow the chunk. */
export const maxChunkBytes = 256 * 1024 * 1024;

interface Compression {
  readonly unpack: (packed: Uint8Array, size: number) => Unpacked;
  /** No byte of it unpacks to more: a length byte of LZ4; a bzip2 block of nothing but runs, 46 MB from 40 bytes. */
  readonly ratio: number;
}

const compressions: ReadonlyMap<string, Compression> = new Map([
  ['lz4', { unpack: unpackLz4Frame, ratio: 255 }],
  ['bz2', { unpack: unpackBzip2, ratio: 1_200_000 }],
]);

/**
 * Unpacks the records of a chunk, which says it holds `size` bytes; null: it does not say. Throws RangeError for a
 * compression that nobody knows and for more than is unpacked at once, before anything is allocated; what is wrong
 * inside is the fault of what came out.
 */
export function unpackChunk(packed: Uint8Array, compression: string, size: number | null): Unpacked {
  const { unpack } = compressionOf(compression);
  const most = mostBytes(compression, packed.length);
  if (size !== null && size > most)
    throw new RangeError(`it says it unpacks to ${size} bytes, more than ${most}`);
  const unpacked = unpack(packed, size ?? most);
  return size === null ? unpacked : heldAgainst(size, unpacked);
}

/** What `packed` bytes of a chunk may unpack to. Throws RangeError for a compression that nobody knows. */
export function mostBytes(compression: string, packed: number): number {
  return Math.min(maxChunkBytes, packed * compressionOf(compression).ratio);
}

/** Whether unpacking takes longer than decoding what comes out, so that threads help. */
export function isSlow(compression: string): boolean {
  return compression === 'bz2';
}

/** A whole chunk that was unpacked, with the fault that it is not as long as it says. */
export function heldAgainst(size: number, unpacked: Unpacked): Unpacked {
  const { length } = unpacked.bytes;
  if (unpacked.fault !== null || length === size) return unpacked;
  return { bytes: unpacked.bytes, fault: new RangeError(`it unpacks to ${length} bytes and says ${size}`) };
}

function compressionOf(name: string): Compression {
  const known = compressions.get(name);
  if (known === undefined) throw new RangeError(`its compression '${name.slice(0, 40)}' is not known`);
  return known;
}
