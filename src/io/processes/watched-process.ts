import { Worker } from 'node:worker_threads';
import { limitsVariable } from './limits.ts';

/**
 * Starts the watchdog thread of this child process and calls `onWatched` once it runs, so that no request is computed
 * unwatched. The process also ends itself when its parent disconnects.
 */
export function startWatchdog(onWatched: () => void): void {
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
    workerData: {
      limits: JSON.parse(process.env[limitsVariable]!),
      parent: process.ppid,
      state: progressState,
    },
    execArgv: [],
  });
  watchdog.once('message', () => {
    watchdog.unref();
    onWatched();
  });
  // SIGKILL because there is nothing to clean up, and FFmpeg's log callback aborts a process that exits normally.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/**
 * State shared with the watchdog thread: [0] number of the current request (0 if there is none), [1] progress counter.
 */
const progressState = new Int32Array(new SharedArrayBuffer(8));

const requestCell = 0;
const stepCell = 1;

/**
 * Reports progress of the current request, such as one more packet or picture. The watchdog ends a child that stops
 * reporting.
 */
export function reportProgress(): void {
  Atomics.add(progressState, stepCell, 1);
}

let requestCount = 0;

/** Marks the start of a request; the watchdog applies its progress limits until `endRequest` is called. */
export function beginRequest(): void {
  Atomics.store(progressState, requestCell, ++requestCount);
}

/** Marks the end of the current request. */
export function endRequest(): void {
  Atomics.store(progressState, requestCell, 0);
}
