import { zstdDecompressSync } from 'node:zlib';
import { AssayError, messageOf } from '#core';
import { unpackLz4Frame } from '../../shared/compression/lz4-frame.ts';
import type { Unpacked } from '../../shared/compression/unpacked.ts';

/** A chunk larger than this is not unpacked: no recorder writes such, and memory has to follow the chunk. */
export const maxChunkBytes = 256 * 1024 * 1024;

/** Unpacks the records of a chunk to exactly `size` bytes. Throws an AssayError saying what was wrong with it. */
export function unpackChunk(bytes: Uint8Array, compression: string, size: number): Uint8Array {
  if (size > maxChunkBytes) {
    throw new AssayError('limit_exceeded', `it says it unpacks to ${size} bytes, more than ${maxChunkBytes}`);
  }
  const unpacked = unpack(bytes, compression, size);
  if (unpacked.length === size) return unpacked;
  throw new AssayError('unreadable_input', `it unpacks to ${unpacked.length} bytes and says ${size}`);
}

function unpack(bytes: Uint8Array, compression: string, size: number): Uint8Array {
  try {
    if (compression === '') return bytes;
    if (compression === 'zstd') return zstd(bytes, size);
    if (compression === 'lz4') return whole(unpackLz4Frame(bytes, size));
  } catch (thrown) {
    throw new AssayError('unreadable_input', `it cannot be unpacked: ${messageOf(thrown)}`);
  }
  throw new AssayError('unsupported_version', `its compression '${compression}' is not known`);
}

function whole({ bytes, fault }: Unpacked): Uint8Array {
  if (fault !== null) throw fault;
  return bytes;
}

interface WithEngine {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/** Node's decoder stops after the first frame, and writers may put several into a chunk. */
function zstd(bytes: Uint8Array, size: number): Uint8Array {
  let whole: Uint8Array | null = null;
  let filled = 0;
  for (let from = 0; from < bytes.length; ) {
    const room = size - filled;
    // One byte to spare, so that a frame comes out in one piece and one that is too long is noticed.
    const options = { maxOutputLength: room + 1, chunkSize: Math.max(64, room + 1), info: true };
    const result: unknown = zstdDecompressSync(bytes.subarray(from), options);
    const { buffer, engine } = result as WithEngine;
    from += engine.bytesWritten;
    if (from >= bytes.length && whole === null) return buffer;
    whole ??= new Uint8Array(size);
    whole.set(buffer, filled);
    filled += buffer.length;
    if (engine.bytesWritten === 0) break;
  }
  return (whole ?? new Uint8Array(0)).subarray(0, filled);
}
