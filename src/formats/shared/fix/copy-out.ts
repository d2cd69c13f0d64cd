import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { AssayError } from '#core';
import { makeFolder } from '#io/sources';
import type { FixPlan } from './fix.ts';
import { exists, journalFolder, syncFile } from './journal-files.ts';

/**
 * Writes a fixed copy of the dataset to `target`, which must be empty or missing; the source is not changed. Unchanged
 * videos are hard links where the disk supports it, everything else is copied. The copy is renamed to `target` when it
 * is complete.
 * @throws AssayError `usage` or `conflict` if `assertSeparateFolders` refuses the target
 */
export async function copyOut({ root, files }: FixPlan, target: string): Promise<void> {
  const whole = resolve(target);
  await assertSeparateFolders(root, whole);
  const partial = `${whole}.partial`;
  await rm(partial, { recursive: true, force: true });
  makeFolder(partial);
  const planned = new Map(files.map((file) => [file.path, file]));
  await copyTree(root, partial, '', (path) => planned.has(path));
  for (const file of files) {
    if (file.does === 'remove') continue;
    const destination = join(partial, file.path);
    await mkdir(dirname(destination), { recursive: true });
    await file.write(destination);
    await syncFile(destination);
  }
  await rm(whole, { recursive: true, force: true });
  await rename(partial, whole);
}

/** Throws `usage` if one of the folders contains the other, `conflict` if the copy's folder exists and is not empty. */
export async function assertSeparateFolders(root: string, copy: string): Promise<void> {
  const home = await realpath(root);
  const target = resolve(copy);
  if (target === home || target.startsWith(home + sep) || home.startsWith(target + sep))
    throw new AssayError('usage', 'the output folder and the dataset must not contain each other', {
      path: target,
      advice: 'choose another folder',
    });
  if ((await exists(target)) && (await readdir(target).catch(() => ['file'])).length > 0)
    throw new AssayError('conflict', `${target} already exists and is not empty`, {
      path: target,
      advice: 'choose a folder that is empty or does not exist',
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
    else if (found?.isFile() === true) await copyOrLinkFile(from, join(target, path));
  }
}

/**
 * Copies one file; videos are linked if possible. Many tools edit tables in place, none edit videos: only these may
 * share an inode.
 */
async function copyOrLinkFile(from: string, to: string): Promise<void> {
  if (/\.(mp4|mkv|webm|avi|mov)$/i.test(from)) {
    const linked = await link(await realpath(from), to).then(
      () => true,
      () => false,
    );
    if (linked) return;
  }
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
