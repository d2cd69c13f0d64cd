import { createHash } from 'node:crypto';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { AssayError, systemCode } from '#core';

/** Folder of a dataset's fix journals. Readers skip names that begin with a dot. */
export const journalFolder = '.assay-fix';

/** True if there is an entry at the path, including a broken link. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Syncs a folder's entries to disk; does nothing if the folder is missing or the system does not support it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  await folder.sync().catch(() => undefined);
  await folder.close();
}

/** Syncs a file to disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

/** Writes or replaces a small file atomically: writes and syncs `PATH.partial`, then renames it. */
export async function writeAtomically(path: string, text: string): Promise<void> {
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

/**
 * Backs up a file as a hard link, or as a synced copy if linking fails; throws if `to` exists. Symbolic links are
 * copied as links; the folder of `to` is created.
 */
export async function backUpFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const found = await lstat(from);
  if (found.isSymbolicLink()) return symlink(await readlink(from), to);
  await link(from, to).catch(async (thrown: unknown) => {
    if (systemCode(thrown) === 'EEXIST') throw thrown;
    await copyFile(from, to);
    await syncFile(to);
  });
}

/** Renames a file, replacing an existing one; creates the target's folder and syncs both folders. */
export async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await syncFolder(dirname(to));
  await syncFolder(dirname(from));
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
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
 * Returns the absolute path of a dataset file for writing; throws `not_permitted` if a folder on the path is a link
 * that leads out of the dataset.
 */
export async function resolveInside(root: string, path: string): Promise<string> {
  const absolute = join(root, path);
  let folder = dirname(absolute);
  while (!(await exists(folder))) folder = dirname(folder);
  const [real, home] = [await realpath(folder), await realpath(root)];
  if (real !== home && !real.startsWith(home.endsWith(sep) ? home : home + sep))
    throw new AssayError(
      'not_permitted',
      `${path} is outside ${root} because a parent folder is a symbolic link`,
      {
        path,
        advice: 'write a repaired copy with --out DIR, or run assay fix on the link target',
      },
    );
  return absolute;
}

const lockName = 'lock';

/**
 * Runs `work` while holding the dataset's fix lock and returns its result; throws `conflict` if another process holds
 * it. The lock of a process that has exited is ignored.
 */
export async function withLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  await mkdir(join(root, journalFolder), { recursive: true });
  const path = join(root, journalFolder, lockName);
  await acquireLock(path, root);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquireLock(path: string, root: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = await open(path, 'wx');
      await file
        .writeFile(JSON.stringify({ pid: process.pid, host: hostname() }))
        .finally(() => file.close());
      return;
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw thrown;
      if (await isLockHeld(path)) break;
      await rm(path, { force: true });
    }
  }
  throw new AssayError('conflict', `another assay fix is running on ${root}`, {
    path: root,
    advice: `wait until it has finished; if none is running, delete ${path}`,
  });
}

async function isLockHeld(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const match = /"pid":(\d+),"host":"([^"]*)"/.exec(text);
  // An empty lock is being written, or its process was killed then.
  if (match === null) return false;
  if (match[2] !== hostname()) return true;
  try {
    process.kill(Number(match[1]), 0);
    return Number(match[1]) !== process.pid;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}
