import { createHash } from 'node:crypto';
import { copyFile, link, lstat, mkdir, open, readlink, realpath, rename, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AssayError, systemCode } from '#core';

/** Where a dataset keeps what fixes took out of it. Names that begin with a dot are read by nobody. */
export const journalFolder = '.assay-fix';

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The names in a folder reach the disk. Systems that cannot say so keep them as they keep everything. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  await folder.sync().catch(() => undefined);
  await folder.close();
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

/** Writes a small file under a temporary name and renames it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  const file = await open(partial, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  await syncFolder(dirname(path));
}

/** Keeps the file under a second name: the same bytes while nobody writes into them. A link stays a link. */
export async function keep(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const found = await lstat(from);
  if (found.isSymbolicLink()) return symlink(await readlink(from), to);
  await link(from, to).catch(async (thrown: unknown) => {
    if (systemCode(thrown) === 'EEXIST') throw thrown;
    await copyFile(from, to);
    await syncFile(to);
  });
}

export async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await syncFolder(dirname(to));
  await syncFolder(dirname(from));
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    for await (const piece of file.createReadStream({ autoClose: false })) hash.update(piece);
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

/**
 * The absolute path of a file of the dataset, for writing. Throws `not_permitted` where a folder on the way is a link that
 * leads out of the dataset.
 */
export async function placeOf(root: string, path: string): Promise<string> {
  const absolute = join(root, path);
  let folder = dirname(absolute);
  while (!(await exists(folder))) folder = dirname(folder);
  const [real, home] = [await realpath(folder), await realpath(root)];
  if (real !== home && !real.startsWith(home.endsWith(sep) ? home : home + sep))
    throw new AssayError('not_permitted', `${path} lies outside ${root}: a folder on the way is a link`, {
      path,
      advice: 'write a repaired copy with --out DIR, or fix the folder that it leads to',
    });
  return absolute;
}
