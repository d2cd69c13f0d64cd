import { open } from 'node:fs/promises';
import { folderFault } from '#kernel';
import type { ReadRange } from './range-file.ts';

const partBytes = 4 * 1024 * 1024;
const partsAtOnce = 4;

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
