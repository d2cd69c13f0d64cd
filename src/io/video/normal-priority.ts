import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { AssayError } from '#core';

/** Scheduling policies of Linux that go before everything else on the machine. */
const realTime: ReadonlySet<string> = new Set(['1', '2']);
/** In /proc/PID/stat, behind the name in brackets, which may hold spaces. */
const policyField = 38;

/** Threads of this process that run before everything else; none on other systems than Linux. */
export function realTimeThreads(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task').filter((thread) => {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return realTime.has(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[policyField]);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/**
 * Gives threads that have come since `before` the priority that others have. SVT-AV1 takes real-time priority for all of
 * its threads where it may (as root), and starves the machine. Throws `output_unwritable` where that cannot be undone.
 */
export async function endRealTime(before: readonly string[], path: string): Promise<void> {
  const added = realTimeThreads().filter((thread) => !before.includes(thread));
  if (added.length === 0) return;
  const all = 'for thread in "$@"; do chrt --other --pid 0 "$thread"; done';
  const failed = await promisify(execFile)('/bin/sh', ['-c', all, 'sh', ...added]).then(
    () => null,
    (thrown: Error) => thrown,
  );
  const left = realTimeThreads().filter((thread) => added.includes(thread));
  if (left.length === 0) return;
  throw new AssayError(
    'output_unwritable',
    `SVT-AV1 runs ${left.length} threads before everything else on this machine, and chrt could not undo that: ${failed?.message ?? 'it said nothing'}`,
    { path, advice: 'run as a user that is not root, install util-linux, or choose --video h264' },
  );
}
