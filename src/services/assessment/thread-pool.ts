import { Worker } from 'node:worker_threads';

/** A thread that runs out of it is lost, and the file it worked on named. */
const heap_mb = 1024;
/** Left to itself it takes 96 MB a thread and is hardly faster. */
const youngHeap_mb = 24;

/** Starts threads; one of them early, so that it loads the program while it is found out what there is to do. */
export class ThreadPool {
  #early: Worker | null = null;

  startEarly(): void {
    this.#early = startThread();
  }

  take(): Worker {
    const worker = this.#early ?? startThread();
    this.#early = null;
    return worker;
  }

  /** Ends the one started early if nobody took it. */
  async dispose(): Promise<void> {
    const worker = this.#early;
    this.#early = null;
    await worker?.terminate();
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: youngHeap_mb },
  });
  // Whoever takes it listens too; without a listener an error would end the process.
  worker.on('error', () => {});
  return worker;
}
