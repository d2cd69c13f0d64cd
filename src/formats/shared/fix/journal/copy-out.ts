import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { AssayError } from '#core';
import { makeFolder } from '#io/sources';
import type { FixPlan } from '../fix.ts';
import { exists, journalFolder, syncFile } from './files.ts';

/**
 * Writes a repaired copy at `target`; the source stays as it is. Videos that stay as they are share their bytes with the
 * source where the disk can do that, everything else is copied. The copy takes its name when it is whole.
 */
export async function copyOut({ root, files }: FixPlan, target: string): Promise<void> {
  const whole = resolve(target);
  await demandApart(root, whole);
  const partial = `${whole}.partial`;
  await rm(partial, { recursive: true, force: true });
  makeFolder(partial);
  const planned = new Map(files.map((file) => [file.path, file]));
  await copyTree(root, partial, '', (path) => planned.has(path));
  for (const file of files) {
    if (file.does === 'remove') continue;
    const place = join(partial, file.path);
    await mkdir(dirname(place), { recursive: true });
    await file.write(place);
    await syncFile(place);
  }
  await rm(whole, { recursive: true, force: true });
  await rename(partial, whole);
}

/** Refuses a copy within its source, or around it, or where something is. Throws `usage`, `conflict`. */
export async function demandApart(root: string, copy: string): Promise<void> {
  const home = await realpath(root);
  const target = resolve(copy);
  if (target === home || target.startsWith(home + sep) || home.startsWith(target + sep))
    throw new AssayError('usage', 'the copy and the dataset lie in each other', {
      path: target,
      advice: 'name another folder',
    });
  if ((await exists(target)) && (await readdir(target).catch(() => ['file'])).length > 0)
    throw new AssayError('conflict', `there is something at ${target} already`, {
      path: target,
      advice: 'name a folder that is empty or not there',
    });
}

async function copyTree(
  root: string,
  target: string,
  below: string,
  skip: (path: string) => boolean,
): Promise<void> {
  await mkdir(join(target, below), { recursive: true });
  for (const { name } of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? name : `${below}/${name}`;
    if (path === journalFolder || skip(path)) continue;
    const from = join(root, path);
    const found = await stat(from).catch(() => null);
    if (found?.isDirectory() === true) await copyTree(root, target, path, skip);
    else if (found?.isFile() === true) await copyOne(from, join(target, path));
  }
}

/** Tables are edited in place by many tools, videos by none: only these may share an inode. */
async function copyOne(from: string, to: string): Promise<void> {
  if (/\.(mp4|mkv|webm|avi|mov)$/i.test(from)) {
    const linked = await link(await realpath(from), to).then(
      () => true,
      () => false,
    );
    if (linked) return;
  }
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
