import { Worker } from 'node:worker_threads';

/** A thread that runs out of it is lost, and the file it worked on named. */
const heap_mb = 1024;
/** Left to itself it takes 96 MB a thread and is hardly faster. */
const youngHeap_mb = 24;

let startedEarly: Worker | null = null;

/**
 * Starts the first thread of the next `assess`: it loads the program while the calling thread does. Nobody waits for it
 * until it is taken.
 */
export function startThreadEarly(): void {
  if (startedEarly !== null) return;
  startedEarly = startThread();
  startedEarly.unref();
}

function takeEarlyThread(): Worker | null {
  const worker = startedEarly;
  startedEarly = null;
  worker?.ref();
  return worker;
}

/** Starts threads; the first is the one started early, if there is one. */
export class ThreadPool {
  #early = takeEarlyThread();

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
  const worker = new Worker(new URL('../worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: youngHeap_mb },
  });
  // Whoever takes it listens too; without a listener an error would end the process.
  worker.on('error', () => {});
  return worker;
}
