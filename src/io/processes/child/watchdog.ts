import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type ChildLimits, type EndLine, watchdogPipe } from '../limits.ts';

/**
 * Runs on a thread of its own, since a decoder may keep the main thread of the child busy for ever: ends the child when
 * its parent is gone (killed, so that nobody could tell it), or at one of its limits. Time is the child's own processor
 * time, or counted in looks that the machine let this thread take: a busy or stopped machine ends nothing.
 */
const every_ms = 100;
const looksPerSign = 10;
/** Processor time in a look, of all threads but this one, below which the child does not compute. */
const resting_us = 500;

const { limits, parent, state } = workerData as { limits: ChildLimits; parent: number; state: Int32Array };

let looks = 0;
let seen = '';
let cpu_us = 0;
let idle_ms = 0;
let before_us = ownCpu_us();

setInterval(() => {
  if (process.ppid !== parent || !alive(parent)) process.kill(process.pid, 'SIGKILL');
  const rss_mb = process.memoryUsage.rss() / 2 ** 20;
  if (rss_mb > limits.memory_mb) {
    end(`memory took ${Math.round(rss_mb)} MB of memory, more than the limit of ${limits.memory_mb} MB`);
  }
  const working = Atomics.load(state, 0) !== 0;
  watchProgress(working);
  if (working && ++looks % looksPerSign === 0) say('.');
}, every_ms);
parentPort?.postMessage('watching');

function watchProgress(working: boolean): void {
  const now_us = ownCpu_us();
  const used_us = now_us - before_us;
  before_us = now_us;
  const at = `${Atomics.load(state, 0)} ${Atomics.load(state, 1)}`;
  if (!working || at !== seen) {
    seen = at;
    cpu_us = 0;
    idle_ms = 0;
    return;
  }
  cpu_us += used_us;
  idle_ms = used_us < resting_us ? idle_ms + every_ms : 0;
  if (cpu_us > limits.cpu_s * 1e6) {
    end(`cpu used ${limits.cpu_s} s of processor time without coming further`);
  }
  if (idle_ms > limits.idle_s * 1000) end(`idle waited ${limits.idle_s} s without coming further`);
}

/** Of the whole child without this thread, microseconds. */
function ownCpu_us(): number {
  const all = process.cpuUsage();
  const mine = process.threadCpuUsage();
  return all.user + all.system - mine.user - mine.system;
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function end(line: EndLine): void {
  say(line);
  process.kill(process.pid, 'SIGKILL');
}

function say(line: string): void {
  try {
    writeSync(watchdogPipe, `${line}\n`);
  } catch {
    // Nobody listens; whether the parent is there is looked at above.
  }
}
