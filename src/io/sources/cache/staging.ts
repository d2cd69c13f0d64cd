import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256, systemCode } from '#core';
import { makeFolder } from '../folder/make-folder.ts';

/** A writer that lives touches its file far more often than this; of one on this machine we know whether it lives. */
const surelyDead_ms = { elsewhere: 60 * 60 * 1000, here: 24 * 60 * 60 * 1000 };
const host = sha256(hostname()).slice(0, 8);

/** A name that says who writes it, so that the next start knows whether its writer still lives. */
export function stagingName(): string {
  return `${host}-${process.pid}-${randomBytes(9).toString('hex')}`;
}

/** Removes what killed writers left in a staging folder. What a living process writes stays. */
export function clearStaging(folder: string, now = Date.now()): void {
  makeFolder(folder);
  const started = now - process.uptime() * 1000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (written === undefined || !isDead(name, written, started, now)) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

function isDead(name: string, written: number, started: number, now: number): boolean {
  const [where, pid] = name.split('-');
  const age_ms = now - written;
  if (where !== host) return age_ms > surelyDead_ms.elsewhere;
  // An earlier process of the same number, as in a container that was started again.
  if (Number(pid) === process.pid) return written < started;
  return age_ms > surelyDead_ms.here || !lives(Number(pid));
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}
