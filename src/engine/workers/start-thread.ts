import { Worker } from 'node:worker_threads';
import { limits } from '#core';

/** A thread that runs out of it is lost, and the file it worked on named. */
const heap_mb = limits.workers.heap_bytes.value / 2 ** 20;
/** Left to itself it takes 96 MB a thread and is hardly faster. */
const youngHeap_mb = 24;

export interface ThreadLimits {
  readonly heap_mb?: number;
  /** What the program finds as `workerData`. */
  readonly data?: unknown;
}

/** Starts a thread of a program, with a heap of its own that is bounded. */
export function startThread(program: URL, { heap_mb: own = heap_mb, data }: ThreadLimits = {}): Worker {
  return new Worker(program, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: own, maxYoungGenerationSizeMb: youngHeap_mb },
  });
}
