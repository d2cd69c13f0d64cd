import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AssayError } from '#core';
import type { Pin } from '../surface.ts';

/** SHA-256 and length of a file. */
export async function hashFile(path: string, signal: AbortSignal): Promise<Pin & { readonly bytes: number }> {
  const digest = createHash('sha256');
  const bytes = await feed(digest, path, signal);
  return { sha256: digest.digest('hex'), bytes };
}

/** Puts the bytes of a file into a digest; gives how many. Throws `cancelled`. */
export async function feed(digest: Hash, path: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const block of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (signal.aborted) throw new AssayError('cancelled', 'hashing was stopped', { path });
    digest.update(block);
    bytes += block.length;
  }
  return bytes;
}
