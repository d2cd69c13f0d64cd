import { open } from 'node:fs/promises';
import { AssayError, blobFolderError } from '#core';
import type { ReadRange } from './range-file.ts';

const partBytes = 4 * 1024 * 1024;
const parallelParts = 4;

/** Attempts to download a whole file; each starts at the beginning. */
const maxWholeAttempts = 6;

/**
 * Downloads an object that cannot be read by ranges to a file, which is replaced; connection errors restart it, up to 6
 * attempts, then it throws `storage_unavailable`.
 */
export async function downloadWhole(read: () => AsyncIterable<Uint8Array>, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const file = await open(path, 'w', 0o600).catch((thrown) => {
      throw blobFolderError(thrown, path);
    });
    try {
      for await (const bytes of read())
        await file.write(bytes).catch((thrown) => {
          throw blobFolderError(thrown, path);
        });
      return;
    } catch (thrown) {
      if (thrown instanceof AssayError) throw thrown;
      if (attempt === maxWholeAttempts)
        throw new AssayError('storage_unavailable', 'the connection broke before the file was complete', {
          advice: 'try again, or copy the recordings to this machine first',
          cause: thrown,
        });
    } finally {
      await file.close();
    }
  }
}

/**
 * Downloads an object of `size` bytes to a new file, reading 4 ranges of 4 MiB in parallel; throws if the file exists.
 */
export async function download(size: number, read: ReadRange, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((thrown) => {
    throw blobFolderError(thrown, path);
  });
  try {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next; at < size; at = next) {
        next += partBytes;
        const bytes = await read(at, Math.min(partBytes, size - at));
        await file.write(bytes, 0, bytes.length, at).catch((thrown) => {
          throw blobFolderError(thrown, path);
        });
      }
    };
    await Promise.all(Array.from({ length: parallelParts }, work));
  } finally {
    await file.close();
  }
}
