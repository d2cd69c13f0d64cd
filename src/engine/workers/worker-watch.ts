import { totalmem } from 'node:os';
import { constrainedMemory, memoryUsage } from 'node:process';
import type { Worker } from 'node:worker_threads';
import { limits } from '#core';

/**
 * When a thread that reads somebody's recordings is given up. None of these makes a verdict: they protect the machine,
 * and what the thread was at is not measured.
 */
export interface WorkerLimits {
  /** Processor time of the thread without a byte, an episode or a picture. */
  readonly cpu_s: number;
  /** Without these and without computing either, as where a disk does not answer. */
  readonly idle_s: number;
  /** Memory of the whole process above which the thread that holds most is ended. */
  readonly memory_mb: number;
}

/** Far above what sound recordings need, on a slow machine as well. */
export const usualLimits: WorkerLimits = {
  cpu_s: limits.workers.silent_cpu_s.value,
  idle_s: limits.workers.silent_s.value,
  memory_mb: 0.7 * machineMemory_mb(),
};

const look_ms = 500;
/** Processor time in a look below which a thread does not compute. */
const resting_us = 1000;
/** For a thread that was ended to give back its memory, before another is blamed for it. */
const relief_ms = 3000;

/** Threads at work, so that the one which holds most memory is found. */
const watched = new Set<WorkerWatch>();
let relievedUntil_ms = 0;

/** Why a thread is given up. */
export interface GivenUp {
  readonly why: string;
  /** What it was at may come through in another thread, once the others are done. */
  readonly again: boolean;
}

/**
 * Watches a thread while it reads, and says once why it must be ended: a reader in an endless loop, one that waits for
 * nothing, memory without bound. What V8 manages has a limit in the thread's `resourceLimits`; arrays outside its heap
 * have this one. A thread that gets no processor is waited for.
 */
export class WorkerWatch {
  readonly #worker: Worker;
  readonly #limits: WorkerLimits;
  readonly #onGivenUp: (givenUp: GivenUp) => void;
  #timer: NodeJS.Timeout | undefined;
  /** How often it came further, and at which of these the processor time below was begun to be counted. */
  #moves = 0;
  #countedFrom = -1;
  #begun_us = 0;
  #last_us = 0;
  // Counted in looks and not taken from a clock: a machine that slept is no thread that waits.
  #idle_ms = 0;
  #asking = false;

  constructor(worker: Worker, limits: WorkerLimits, onGivenUp: (givenUp: GivenUp) => void) {
    this.#worker = worker;
    this.#limits = limits;
    this.#onGivenUp = onGivenUp;
  }

  begin(): void {
    this.end();
    this.moved();
    watched.add(this);
    this.#timer = setInterval(() => this.#look(), look_ms).unref();
  }

  end(): void {
    clearInterval(this.#timer);
    watched.delete(this);
  }

  /** It has come further. */
  moved(): void {
    this.#moves++;
    this.#idle_ms = 0;
  }

  #look(): void {
    const { idle_s, memory_mb } = this.#limits;
    this.#idle_ms += look_ms;
    if (this.#idle_ms > idle_s * 1000) this.#giveUp(`waited ${idle_s} s without coming further`, false);
    else if (memoryUsage.rss() > memory_mb * 2 ** 20) void relieve(memory_mb);
    if (!this.#asking) void this.#count();
  }

  /** A thread deep in a library's own code answers late, or never: that counts as waiting. */
  async #count(): Promise<void> {
    this.#asking = true;
    const moves = this.#moves;
    const usage = await this.#worker.cpuUsage().catch(() => null);
    this.#asking = false;
    if (usage === null || !watched.has(this)) return;
    const now_us = usage.user + usage.system;
    if (moves !== this.#countedFrom) {
      this.#countedFrom = moves;
      this.#begun_us = now_us;
    } else if (now_us - this.#last_us > resting_us) this.#idle_ms = 0;
    this.#last_us = now_us;
    const { cpu_s } = this.#limits;
    if (now_us - this.#begun_us > cpu_s * 1e6) {
      this.#giveUp(`used ${cpu_s} s of processor time without coming further`, false);
    }
  }

  async held_bytes(): Promise<number> {
    const { total_heap_size, external_memory } = await this.#worker.getHeapStatistics();
    return total_heap_size + external_memory;
  }

  giveUpForMemory(held_bytes: number, memory_mb: number): void {
    const held = Math.round(held_bytes / 2 ** 20);
    this.#giveUp(`took ${held} MB of memory; the limit of the process is ${Math.round(memory_mb)} MB`, true);
  }

  #giveUp(why: string, again: boolean): void {
    if (!watched.has(this)) return;
    this.end();
    this.#onGivenUp({ why, again });
  }
}

/** Ends the thread that holds most. */
async function relieve(memory_mb: number): Promise<void> {
  if (performance.now() < relievedUntil_ms) return;
  relievedUntil_ms = performance.now() + relief_ms;
  const holders = await Promise.all(
    [...watched].map(async (watch) => ({ watch, bytes: await watch.held_bytes().catch(() => 0) })),
  );
  const [most] = holders.filter(({ watch }) => watched.has(watch)).sort((a, b) => b.bytes - a.bytes);
  most?.watch.giveUpForMemory(most.bytes, memory_mb);
}

function machineMemory_mb(): number {
  const granted = constrainedMemory();
  return (granted > 0 ? Math.min(granted, totalmem()) : totalmem()) / 2 ** 20;
}
