import { Worker } from 'node:worker_threads';
import { limitsVariable } from '../limits.ts';
import { state } from './progress.ts';

/**
 * Has a watchdog look after this process, which also ends with its parent, and then calls `onWatched`: what computes
 * without letting go of its thread begins once somebody watches.
 */
export function underWatch(onWatched: () => void): void {
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
    workerData: { limits: JSON.parse(process.env[limitsVariable]!), parent: process.ppid, state },
    execArgv: [],
  });
  watchdog.once('message', () => {
    watchdog.unref();
    onWatched();
  });
  // Nothing is worth tidying up, and FFmpeg's log callback aborts a process that exits in good order.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
