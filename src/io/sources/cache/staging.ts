import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256, systemCode } from '#core';
import { makeFolder } from '../folder/make-folder.ts';

/**
 * Age in ms after which a staging file is abandoned: written by another host, or by this host, where the process id
 * shows earlier whether the writer is alive.
 */
const abandonedAge_ms = { elsewhere: 60 * 60 * 1000, here: 24 * 60 * 60 * 1000 };
const host = sha256(hostname()).slice(0, 8);

/**
 * Returns a unique name for a staging file that contains host and process id, so that a later start can tell whether
 * its writer is still running.
 */
export function stagingName(): string {
  return `${host}-${process.pid}-${randomBytes(9).toString('hex')}`;
}

/**
 * Deletes the files of dead writers from a staging folder, which is created if missing; files of running processes
 * stay.
 */
export function clearStaging(folder: string, now = Date.now()): void {
  makeFolder(folder);
  const started = now - process.uptime() * 1000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (written === undefined || !isAbandoned(name, written, started, now)) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

function isAbandoned(name: string, written: number, started: number, now: number): boolean {
  const [where, pid] = name.split('-');
  const age_ms = now - written;
  if (where !== host) return age_ms > abandonedAge_ms.elsewhere;
  // The file belongs to an earlier process with the same id, as in a restarted container.
  if (Number(pid) === process.pid) return written < started;
  return age_ms > abandonedAge_ms.here || !isProcessAlive(Number(pid));
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}
