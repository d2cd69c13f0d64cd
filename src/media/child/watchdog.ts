import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs on a thread of its own, since a decoder may keep the main thread of the child busy for ever: ends the child
 * when its parent is gone (killed, so that nobody could tell it) or when it takes more memory than it may.
 */
const every_ms = 100;
const { memory_limit_mb, parent } = workerData as { memory_limit_mb: number; parent: number };

setInterval(() => {
  if (process.ppid !== parent || !alive(parent)) end('');
  const rss_mb = process.memoryUsage.rss() / 2 ** 20;
  if (rss_mb > memory_limit_mb) {
    end(`took ${Math.round(rss_mb)} MB of memory, more than the limit of ${memory_limit_mb} MB`);
  }
}, every_ms);
parentPort?.postMessage('watching');

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function end(lastWords: string): void {
  if (lastWords !== '') writeSync(2, `${lastWords}\n`);
  process.kill(process.pid, 'SIGKILL');
}
