import { totalmem } from 'node:os';
import { constrainedMemory, memoryUsage } from 'node:process';
import type { Worker } from 'node:worker_threads';

/** When a thread that reads somebody's recordings is given up. */
export interface WatchLimits {
  /** Without a sign of life: it computes and does not let go. */
  readonly silent_s: number;
  /** Without a byte, an episode or a picture, though it lives. */
  readonly idle_s: number;
  /** Memory of the whole process above which the thread that holds most is ended. */
  readonly memory_mb: number;
}

/** Far above what sound recordings need on a busy machine, since a unit that is given up is lost. */
export const usualLimits: WatchLimits = { silent_s: 120, idle_s: 900, memory_mb: 0.7 * machineMemory_mb() };

const look_ms = 500;
/** For a thread that was ended to give back its memory, before another is blamed for it. */
const relief_ms = 3000;

/** Threads at work, so that the one which holds most memory is found. */
const watched = new Set<ThreadWatch>();
let relievedUntil_ms = 0;

/**
 * Watches a thread while it reads, and says once why it must be ended: a reader in an endless loop, one that waits for
 * nothing, memory without bound. What V8 manages has a limit in the thread's `resourceLimits`; arrays outside its heap
 * have this one.
 */
export class ThreadWatch {
  readonly #worker: Worker;
  readonly #limits: WatchLimits;
  readonly #onGivenUp: (why: string) => void;
  #timer: NodeJS.Timeout | undefined;
  // Counted in looks and not taken from a clock: a machine that slept is no thread that hangs.
  #silent_ms = 0;
  #idle_ms = 0;

  constructor(worker: Worker, limits: WatchLimits, onGivenUp: (why: string) => void) {
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

  /** The thread lives. */
  heard(): void {
    this.#silent_ms = 0;
  }

  /** It has come further. */
  moved(): void {
    this.#silent_ms = 0;
    this.#idle_ms = 0;
  }

  #look(): void {
    this.#silent_ms += look_ms;
    this.#idle_ms += look_ms;
    const { silent_s, idle_s, memory_mb } = this.#limits;
    if (this.#silent_ms >= silent_s * 1000) this.#giveUp(`gave no sign of life for ${silent_s} s`);
    else if (this.#idle_ms >= idle_s * 1000) this.#giveUp(`came no further for ${idle_s} s`);
    else if (memoryUsage.rss() > memory_mb * 2 ** 20) void relieve(memory_mb);
  }

  async held_bytes(): Promise<number> {
    const { total_heap_size, external_memory } = await this.#worker.getHeapStatistics();
    return total_heap_size + external_memory;
  }

  giveUpForMemory(held_bytes: number, memory_mb: number): void {
    const held = Math.round(held_bytes / 2 ** 20);
    this.#giveUp(`took ${held} MB of memory; the limit of the process is ${Math.round(memory_mb)} MB`);
  }

  #giveUp(why: string): void {
    this.end();
    this.#onGivenUp(why);
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
