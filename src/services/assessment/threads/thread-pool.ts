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
  /** Started, and taken by nobody yet. */
  readonly #waiting: Worker[];

  constructor() {
    const early = takeEarlyThread();
    this.#waiting = early === null ? [] : [early];
  }

  take(): Worker {
    return this.#waiting.shift() ?? startThread();
  }

  /** Starts a thread before it is taken, so that it loads the program meanwhile; unless one waits already. */
  startNext(): void {
    if (this.#waiting.length === 0) this.#waiting.push(startThread());
  }

  /** Ends those that nobody took. */
  async dispose(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((worker) => worker.terminate()));
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
