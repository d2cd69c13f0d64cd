import { totalmem } from 'node:os';
import { constrainedMemory, memoryUsage } from 'node:process';
import type { Worker } from 'node:worker_threads';
import { limits } from '#core';

/**
 * Limits of a thread that reads external recordings. Exceeding one never affects a verdict: the thread is stopped to
 * protect the machine, and its current work counts as not measured.
 */
export interface WorkerLimits {
  /** Maximum CPU time without progress (bytes, episodes or pictures). */
  readonly cpu_s: number;
  /** Maximum time without progress and without CPU use, for example when a disk does not answer. */
  readonly idle_s: number;
  /** Memory of the whole process, in MiB, above which the thread that uses most is stopped. */
  readonly memory_mb: number;
}

/** Default limits, far above what valid recordings need, even on a slow machine. */
export const defaultLimits: WorkerLimits = {
  cpu_s: limits.workers.silent_cpu_s.value,
  idle_s: limits.workers.silent_s.value,
  memory_mb: 0.7 * machineMemory_mb(),
};

const checkInterval_ms = 500;
/** CPU time per check interval below which a thread counts as idle. */
const minActiveCpu_us = 1000;
/** Time after stopping a thread before another may be stopped for memory. */
const reliefCooldown_ms = 3000;

/** Watches of all busy threads, to find the one that uses most memory. */
const watched = new Set<WorkerWatch>();
let reliefUntil_ms = 0;

/** Reason for stopping a thread. */
export interface StopReason {
  readonly reason: string;
  /** True if the work may succeed in another thread, once the others are done. */
  readonly retryable: boolean;
}

/**
 * Watches a thread while it reads and reports once if it must be stopped: an endless loop, a wait without end, or too
 * much memory. V8's heap is limited by `resourceLimits`; this also limits buffers outside the heap. A thread that
 * gets no CPU time is not stopped.
 */
export class WorkerWatch {
  readonly #worker: Worker;
  readonly #limits: WorkerLimits;
  readonly #onStop: (givenUp: StopReason) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Number of progress reports, and its value when the CPU baseline was taken. */
  #progressCount = 0;
  #baselineCount = -1;
  #baselineCpu_us = 0;
  #lastCpu_us = 0;
  // Counted in check intervals and not by clock, so that a suspended machine does not look like an idle thread.
  #idle_ms = 0;
  #sampling = false;

  constructor(worker: Worker, limits: WorkerLimits, onGivenUp: (givenUp: StopReason) => void) {
    this.#worker = worker;
    this.#limits = limits;
    this.#onStop = onGivenUp;
  }

  /** Starts watching, with fresh limits. */
  begin(): void {
    this.end();
    this.progressed();
    watched.add(this);
    this.#timer = setInterval(() => this.#check(), checkInterval_ms).unref();
  }

  /** Stops watching. */
  end(): void {
    clearInterval(this.#timer);
    watched.delete(this);
  }

  /** Reports progress: resets the limits. */
  progressed(): void {
    this.#progressCount++;
    this.#idle_ms = 0;
  }

  #check(): void {
    const { idle_s, memory_mb } = this.#limits;
    this.#idle_ms += checkInterval_ms;
    if (this.#idle_ms > idle_s * 1000) this.#stop(`made no progress for ${idle_s} s`, false);
    else if (memoryUsage.rss() > memory_mb * 2 ** 20) void stopLargestThread(memory_mb);
    if (!this.#sampling) void this.#sampleCpu();
  }

  /**
   * Updates the CPU time since the last progress. A thread in native code answers late or never, which counts as
   * idle.
   */
  async #sampleCpu(): Promise<void> {
    this.#sampling = true;
    const moves = this.#progressCount;
    const usage = await this.#worker.cpuUsage().catch(() => null);
    this.#sampling = false;
    if (usage === null || !watched.has(this)) return;
    const now_us = usage.user + usage.system;
    if (moves !== this.#baselineCount) {
      this.#baselineCount = moves;
      this.#baselineCpu_us = now_us;
    } else if (now_us - this.#lastCpu_us > minActiveCpu_us) this.#idle_ms = 0;
    this.#lastCpu_us = now_us;
    const { cpu_s } = this.#limits;
    if (now_us - this.#baselineCpu_us > cpu_s * 1e6) {
      this.#stop(`made no progress in ${cpu_s} s of CPU time`, false);
    }
  }

  /** Returns the memory of the thread: V8 heap and external buffers. */
  async memory_bytes(): Promise<number> {
    const { total_heap_size, external_memory } = await this.#worker.getHeapStatistics();
    return total_heap_size + external_memory;
  }

  /** Stops the thread because the process exceeds its memory limit. */
  stopForMemory(used_bytes: number, memory_mb: number): void {
    const used_mb = Math.round(used_bytes / 2 ** 20);
    this.#stop(`used ${used_mb} MB of memory; the limit of the process is ${Math.round(memory_mb)} MB`, true);
  }

  #stop(why: string, retryable: boolean): void {
    if (!watched.has(this)) return;
    this.end();
    this.#onStop({ reason: why, retryable: retryable });
  }
}

/** Stops the watched thread that uses most memory. Does nothing shortly after another was stopped. */
async function stopLargestThread(memory_mb: number): Promise<void> {
  if (performance.now() < reliefUntil_ms) return;
  reliefUntil_ms = performance.now() + reliefCooldown_ms;
  const holders = await Promise.all(
    [...watched].map(async (watch) => ({ watch, bytes: await watch.memory_bytes().catch(() => 0) })),
  );
  const [largest] = holders.filter(({ watch }) => watched.has(watch)).sort((a, b) => b.bytes - a.bytes);
  largest?.watch.stopForMemory(largest.bytes, memory_mb);
}

function machineMemory_mb(): number {
  const granted = constrainedMemory();
  return (granted > 0 ? Math.min(granted, totalmem()) : totalmem()) / 2 ** 20;
}
