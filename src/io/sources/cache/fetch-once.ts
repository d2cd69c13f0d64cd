import { open, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderFault, systemCode } from '#core';

/** A living fetcher touches its lock this often; one that was not touched for four times as long is dead. */
const beat_ms = 2000;
const dead_ms = 4 * beat_ms;
const poll_ms = 40;

/**
 * Runs `fetch` unless another thread or process is at it; then waits for its end. Whoever calls looks afterwards
 * whether the file is there.
 */
export async function fetchOnce(target: string, fetch: () => Promise<void>): Promise<void> {
  const lock = `${target}.lock`;
  if (!(await take(lock))) return waitFor(lock);
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(lock, now, now).catch(() => {});
  }, beat_ms);
  try {
    await fetch();
  } finally {
    clearInterval(beat);
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw folderFault(thrown, lock);
  }
}

async function waitFor(lock: string): Promise<void> {
  for (;;) {
    const info = await stat(lock).catch(() => null);
    if (info === null) return;
    if (Date.now() - info.mtimeMs > dead_ms) {
      await rm(lock, { force: true });
      return;
    }
    await sleep(poll_ms);
  }
}
