import type { Worker } from 'node:worker_threads';
import { endUnused } from '../../workers/end-unused.ts';
import { startThread, type ThreadLimits } from '../../workers/start-thread.ts';

/** Where memory counts for more than speed. */
const boundedHeap_mb = 384;
/** Threads that nobody wants for so long are ended. */
const rest_ms = 5000;

/** A thread with the program loaded, that nobody has taken. */
interface Resting {
  readonly worker: Worker;
  readonly used: boolean;
  readonly timer: NodeJS.Timeout;
}

const resting = new Map<Worker, Resting>();

/** Starts a thread before it is taken, so that it loads the program meanwhile; unless one waits already. */
export function startThreadEarly(): void {
  if (resting.size === 0) rest(startWorker(), false);
}

/** Ends all threads that nobody has taken. */
export async function endRestingThreads(): Promise<void> {
  await Promise.all([...resting.values()].map(endResting));
}

function rest(worker: Worker, used: boolean): void {
  worker.unref();
  const timer = setTimeout(() => void endResting(one), rest_ms).unref();
  const one: Resting = { worker, used, timer };
  resting.set(worker, one);
}

function wake({ worker, timer }: Resting): Worker {
  resting.delete(worker);
  clearTimeout(timer);
  worker.ref();
  return worker;
}

const endResting = (one: Resting): Promise<void> => endUnused(wake(one));

/**
 * The threads of one call, such as an `assess`. Those that have done their work wait some seconds for the next call:
 * the program is loaded in them, and compiled.
 */
export class ThreadPool {
  #limits: ThreadLimits | null = null;

  /** Starts threads with less memory from now on: V8 collects garbage the earlier, the nearer the limit is. */
  async boundMemory(): Promise<void> {
    this.#limits = { heap_mb: boundedHeap_mb };
    await endRestingThreads();
  }

  take(): Worker {
    if (this.#limits !== null) return startWorker(this.#limits);
    for (const one of resting.values()) {
      const worker = wake(one);
      if (worker.threadId >= 0) return worker;
    }
    return startWorker();
  }

  /** Takes a thread back that has let go of everything. */
  async giveBack(worker: Worker): Promise<void> {
    if (this.#limits !== null) return endUnused(worker);
    hearErrors(worker);
    rest(worker, true);
  }

  /** Ends those that nobody took. */
  async dispose(): Promise<void> {
    await Promise.all([...resting.values()].filter(({ used }) => !used).map(endResting));
  }
}

function startWorker(limits: ThreadLimits = {}): Worker {
  const worker = startThread(new URL('../worker.ts', import.meta.url), limits);
  hearErrors(worker);
  return worker;
}

/** Whoever takes the thread listens too; without a listener an error would end the process. */
function hearErrors(worker: Worker): void {
  worker.on('error', () => {});
}
