import type { Worker } from 'node:worker_threads';
import { endUnused } from '../../workers/end-unused.ts';
import { startThread, type ThreadLimits } from '../../workers/start-thread.ts';

/** Where memory counts for more than speed. */
const boundedHeap_mb = 384;

let startedEarly: Worker | null = null;

/**
 * Starts the first thread of the next `assess`: it loads the program while the calling thread does. Nobody waits for it
 * until it is taken.
 */
export function startThreadEarly(): void {
  if (startedEarly !== null) return;
  startedEarly = startWorker();
  startedEarly.unref();
}

/** Ends the early thread if nobody took it, as where a command is refused. */
export async function endEarlyThread(): Promise<void> {
  const worker = takeEarlyThread();
  if (worker !== null) await endUnused(worker);
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
  #limits: ThreadLimits = {};

  constructor() {
    const early = takeEarlyThread();
    this.#waiting = early === null ? [] : [early];
  }

  /** Starts threads with less memory from now on: V8 collects garbage the earlier, the nearer the limit is. */
  boundMemory(): void {
    this.#limits = { heap_mb: boundedHeap_mb };
  }

  take(): Worker {
    return this.#waiting.shift() ?? startWorker(this.#limits);
  }

  /** Starts a thread before it is taken, so that it loads the program meanwhile; unless one waits already. */
  startNext(): void {
    if (this.#waiting.length === 0) this.#waiting.push(startWorker(this.#limits));
  }

  /** Ends those that nobody took. */
  async dispose(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map(endUnused));
  }
}

function startWorker(limits: ThreadLimits = {}): Worker {
  const worker = startThread(new URL('../worker.ts', import.meta.url), limits);
  // Whoever takes it listens too; without a listener an error would end the process.
  worker.on('error', () => {});
  return worker;
}
