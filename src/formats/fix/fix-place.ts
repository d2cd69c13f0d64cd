import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { AssayError, asUnreadable } from '#core';

/** Where fixes work: the folder that gets the journal, and the one file of it that is meant, where it is one. */
export interface FixPlace {
  readonly root: string;
  readonly only: string | null;
}

const recordings = /\.(mcap|bag|bag\.active|db3|json)$/i;

/** The folder that holds the journal: the dataset itself, or the folder of a single file. */
export async function fixPlace(path: string): Promise<FixPlace> {
  try {
    const found = await realpath(path);
    if ((await stat(found)).isDirectory()) return { root: found, only: null };
    if (recordings.test(found)) return { root: dirname(found), only: basename(found) };
  } catch (thrown) {
    throw asUnreadable(thrown, path);
  }
  throw new AssayError('usage', `${path} is no folder, and no MCAP file, ROS bag or COCO file`, {
    path,
    advice: 'name the folder of the dataset',
  });
}

/** Files of a folder that fixes may know. Throws `not_permitted` where a folder in it is closed. */
export async function recordingsIn(root: string): Promise<string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch((thrown: unknown) => {
    const path = thrown instanceof Error && 'path' in thrown ? String(thrown.path) : root;
    throw asUnreadable(thrown, relative(root, path) || root, 'ask for permission to read it (chmod -R a+rX)');
  });
  return found
    .filter((entry) => entry.isFile() && recordings.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort();
}
