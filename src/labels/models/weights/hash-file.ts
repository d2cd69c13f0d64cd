import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AssayError } from '#core';
import type { Pin } from '../surface.ts';

/**
 * Returns SHA-256 (hexadecimal) and size of a file; throws `cancelled` if the signal is aborted, and the system's
 * error if it cannot be read.
 */
export async function hashFile(path: string, signal: AbortSignal): Promise<Pin & { readonly bytes: number }> {
  const digest = createHash('sha256');
  const bytes = await hashInto(digest, path, signal);
  return { sha256: digest.digest('hex'), bytes };
}

/**
 * Adds the bytes of a file to a digest and returns their number; throws `cancelled` if the signal is aborted, and the
 * system's error if it cannot be read.
 */
export async function hashInto(digest: Hash, path: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const block of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (signal.aborted) throw new AssayError('cancelled', 'hashing was stopped', { path });
    digest.update(block);
    bytes += block.length;
  }
  return bytes;
}
