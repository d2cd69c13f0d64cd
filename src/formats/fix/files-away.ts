import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asUnreadable } from '#core';
import { lfsPointerAt } from '../lerobot/fix/lfs-pointer-at.ts';
import type { FilesAway } from '../shared/files-away.ts';

/** What to do about a file that may not be read. */
export const askToRead = 'ask for permission to read it (chmod a+r), or copy it';

/** Pointers are about 130 bytes. */
const mostOfPointer_bytes = 1024;

/** Files that hold nothing to mend: empty ones and pointers of Git LFS. Throws `not_permitted` for one that is closed. */
export async function filesAway(root: string, paths: readonly string[]): Promise<FilesAway> {
  const pointers: string[] = [];
  const empty: string[] = [];
  for (const path of paths) {
    try {
      const { size } = await stat(join(root, path));
      if (size === 0) empty.push(path);
      else if (size <= mostOfPointer_bytes && lfsPointerAt(join(root, path))) pointers.push(path);
    } catch (thrown) {
      throw asUnreadable(thrown, path, askToRead);
    }
  }
  return { pointers, empty, closed: [] };
}
