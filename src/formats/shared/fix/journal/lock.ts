import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AssayError, systemCode } from '#core';
import { journalFolder } from './files.ts';

const lockName = 'lock';

/** Runs `work` while no other process fixes this dataset. A lock whose process is gone counts for nothing. */
export async function withLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  await mkdir(join(root, journalFolder), { recursive: true });
  const path = join(root, journalFolder, lockName);
  await take(path, root);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string, root: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = await open(path, 'wx');
      await file
        .writeFile(JSON.stringify({ pid: process.pid, host: hostname() }))
        .finally(() => file.close());
      return;
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw thrown;
      if (await isHeld(path)) break;
      await rm(path, { force: true });
    }
  }
  throw new AssayError('conflict', `another assay fix works on ${root}`, {
    path: root,
    advice: `wait for it; if there is none, delete ${path}`,
  });
}

async function isHeld(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const match = /"pid":(\d+),"host":"([^"]*)"/.exec(text);
  // A lock that is empty was just being written, or its process was killed then.
  if (match === null) return false;
  if (match[2] !== hostname()) return true;
  try {
    process.kill(Number(match[1]), 0);
    return Number(match[1]) !== process.pid;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}
