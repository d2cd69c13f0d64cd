import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { FromWorker } from '../../workers/messages.ts';
import { startThread, type ThreadLimits } from '../../workers/start-thread.ts';

/** Where memory counts for more than speed. */
const boundedHeap_mb = 384;
/** An idle thread ends after this time. */
const idle_ms = 5000;

/** A thread that has the program loaded and belongs to no call. */
interface IdleThread {
  readonly worker: Worker;
  readonly used: boolean;
  readonly timer: NodeJS.Timeout;
}

const idle = new Map<Worker, IdleThread>();

/** Starts a thread before it is needed, so that it loads the program meanwhile; does nothing if one is idle. */
export function startThreadEarly(): void {
  if (idle.size === 0) keepIdle(startWorker(), false);
}

/** Ends all idle threads, and the decoders that they keep. */
export async function endIdleThreads(): Promise<void> {
  await Promise.all([...idle.values()].map(endIdle));
}

function keepIdle(worker: Worker, used: boolean): void {
  worker.unref();
  const timer = setTimeout(() => void endIdle(one), idle_ms).unref();
  const one: IdleThread = { worker, used, timer };
  idle.set(worker, one);
}

function takeIdle({ worker, timer }: IdleThread): Worker {
  idle.delete(worker);
  clearTimeout(timer);
  worker.ref();
  return worker;
}

const endIdle = (one: IdleThread): Promise<void> => endUnused(takeIdle(one));

/** The threads of one call, such as an `assess`. Afterwards they are kept for five seconds for the next call. */
export class ThreadPool {
  #limits: ThreadLimits | null = null;

  /** Ends idle threads, and starts threads with less memory from now on: V8 then collects garbage earlier. */
  async boundMemory(): Promise<void> {
    this.#limits = { heap_mb: boundedHeap_mb };
    await endIdleThreads();
  }

  take(): Worker {
    if (this.#limits !== null) return startWorker(this.#limits);
    for (const one of idle.values()) {
      const worker = takeIdle(one);
      if (worker.threadId >= 0) return worker;
    }
    return startWorker();
  }

  /** Takes back a thread that was reset. */
  async giveBack(worker: Worker): Promise<void> {
    if (this.#limits !== null) return endUnused(worker);
    hearErrors(worker);
    keepIdle(worker, true);
  }

  /** Ends the idle threads that were never used. */
  async dispose(): Promise<void> {
    await Promise.all([...idle.values()].filter(({ used }) => !used).map(endIdle));
  }
}

function startWorker(limits: ThreadLimits = {}): Worker {
  const worker = startThread(new URL('../worker.ts', import.meta.url), limits);
  hearErrors(worker);
  return worker;
}

/** Gives a thread an error listener: without one an error would end the process. */
function hearErrors(worker: Worker): void {
  worker.on('error', () => {});
}

/**
 * Ends a thread that nobody gave work, once it has loaded its program: ending it while DuckDB's bindings load aborts
 * the process.
 */
async function endUnused(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return;
  worker.ref();
  worker.on('message', (message: FromWorker<never, never>) => {
    if (message.type === 'closed') void worker.terminate();
  });
  const exited = once(worker, 'exit');
  worker.postMessage({ type: 'close' });
  await exited;
}
