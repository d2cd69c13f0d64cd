import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type ChildLimits, type LimitLine, watchdogPipe } from './limits.ts';

/**
 * Watchdog thread of a child process. It runs on its own thread because a decoder may block the main thread for ever,
 * and kills the process when the parent has died or when one of `limits` is exceeded. Time is measured as the CPU time
 * of the child, or by counting the checks of this thread, so that a busy or suspended machine does not end a child.
 */
const checkInterval_ms = 100;
const checksPerHeartbeat = 10;
/** If the other threads together use less CPU time than this between two checks, the child counts as idle. */
const maxIdleCpu_us = 500;

const { limits, parent, state } = workerData as { limits: ChildLimits; parent: number; state: Int32Array };

let checks = 0;
let lastProgress = '';
let cpu_us = 0;
let idle_ms = 0;
let lastCpu_us = childCpu_us();

setInterval(() => {
  if (process.ppid !== parent || !isAlive(parent)) process.kill(process.pid, 'SIGKILL');
  const rss_mb = process.memoryUsage.rss() / 2 ** 20;
  if (rss_mb > limits.memory_mb) {
    endChild(
      `memory used ${Math.round(rss_mb)} MB of memory; the limit of the process is ${limits.memory_mb} MB`,
    );
  }
  const working = Atomics.load(state, 0) !== 0;
  watchProgress(working);
  if (working && ++checks % checksPerHeartbeat === 0) writeLine('.');
}, checkInterval_ms);
parentPort?.postMessage('watching');

function watchProgress(working: boolean): void {
  const now_us = childCpu_us();
  const used_us = now_us - lastCpu_us;
  lastCpu_us = now_us;
  const at = `${Atomics.load(state, 0)} ${Atomics.load(state, 1)}`;
  if (!working || at !== lastProgress) {
    lastProgress = at;
    cpu_us = 0;
    idle_ms = 0;
    return;
  }
  cpu_us += used_us;
  idle_ms = used_us < maxIdleCpu_us ? idle_ms + checkInterval_ms : 0;
  if (cpu_us > limits.cpu_s * 1e6) {
    endChild(`cpu made no progress in ${limits.cpu_s} s of CPU time`);
  }
  if (idle_ms > limits.idle_s * 1000) endChild(`idle made no progress for ${limits.idle_s} s`);
}

/** Returns the CPU time used by the child process without this thread, in microseconds. */
function childCpu_us(): number {
  const all = process.cpuUsage();
  const mine = process.threadCpuUsage();
  return all.user + all.system - mine.user - mine.system;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function endChild(line: LimitLine): void {
  writeLine(line);
  process.kill(process.pid, 'SIGKILL');
}

function writeLine(line: string): void {
  try {
    writeSync(watchdogPipe, `${line}\n`);
  } catch {
    // The parent does not read the pipe any more; the interval above checks whether it is still alive.
  }
}
