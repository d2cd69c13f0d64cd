import { open } from 'node:fs/promises';
import { AssayError, folderFault } from '#core';
import type { ReadRange } from './range-file.ts';

const partBytes = 4 * 1024 * 1024;
const partsAtOnce = 4;

/** Tries of a whole file, which begins anew when it breaks off. */
const wholeTries = 6;

/** Writes an object that comes in one piece to a new file. */
export async function downloadWhole(read: () => AsyncIterable<Uint8Array>, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const file = await open(path, 'w', 0o600).catch((thrown) => {
      throw folderFault(thrown, path);
    });
    try {
      for await (const bytes of read())
        await file.write(bytes).catch((thrown) => {
          throw folderFault(thrown, path);
        });
      return;
    } catch (thrown) {
      if (thrown instanceof AssayError) throw thrown;
      if (attempt === wholeTries)
        throw new AssayError('storage_unavailable', 'the connection breaks off before a file is whole', {
          advice: 'do it again, or copy the recordings here first',
          cause: thrown,
        });
    } finally {
      await file.close();
    }
  }
}

/** Writes an object to a new file, several ranges at once. */
export async function download(size: number, read: ReadRange, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((thrown) => {
    throw folderFault(thrown, path);
  });
  try {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next; at < size; at = next) {
        next += partBytes;
        const bytes = await read(at, Math.min(partBytes, size - at));
        await file.write(bytes, 0, bytes.length, at).catch((thrown) => {
          throw folderFault(thrown, path);
        });
      }
    };
    await Promise.all(Array.from({ length: partsAtOnce }, work));
  } finally {
    await file.close();
  }
}
