import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { FromWorker } from '../../workers/messages.ts';
import { startThread, type ThreadLimits } from '../../workers/worker-thread.ts';

/** Heap limit for large work. */
const boundedHeap_mb = 384;
/** Time after which an idle thread is ended. */
const idle_ms = 5000;

/** An idle thread that has loaded the program. */
interface IdleThread {
  readonly worker: Worker;
  readonly used: boolean;
  readonly timer: NodeJS.Timeout;
}

const idle = new Map<Worker, IdleThread>();

/** Starts a thread in advance, so that it loads the program meanwhile. Does nothing if one is idle. */
export function startThreadEarly(): void {
  if (idle.size === 0) addIdle(startWorker(), false);
}

/** Ends all idle threads and their decoders. */
export async function endIdleThreads(): Promise<void> {
  await Promise.all([...idle.values()].map(endIdle));
}

function addIdle(worker: Worker, used: boolean): void {
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

/** The threads of one call, such as `assess`. Afterwards they stay idle for five seconds for the next call. */
export class ThreadPool {
  #limits: ThreadLimits | null = null;

  /** Ends idle threads, and starts new threads with less memory from now on: V8 then collects garbage earlier. */
  async boundMemory(): Promise<void> {
    this.#limits = { heap_mb: boundedHeap_mb };
    await endIdleThreads();
  }

  /** Returns an idle thread, or starts one. */
  take(): Worker {
    if (this.#limits !== null) return startWorker(this.#limits);
    for (const one of idle.values()) {
      const worker = takeIdle(one);
      if (worker.threadId >= 0) return worker;
    }
    return startWorker();
  }

  /** Takes back a thread that was reset. */
  async release(worker: Worker): Promise<void> {
    if (this.#limits !== null) return endUnused(worker);
    ignoreErrors(worker);
    addIdle(worker, true);
  }

  /** Ends idle threads that were never used. */
  async dispose(): Promise<void> {
    await Promise.all([...idle.values()].filter(({ used }) => !used).map(endIdle));
  }
}

function startWorker(limits: ThreadLimits = {}): Worker {
  const worker = startThread(new URL('../assess-handler.ts', import.meta.url), limits);
  ignoreErrors(worker);
  return worker;
}

/** Adds an error listener; without one an error would end the process. */
function ignoreErrors(worker: Worker): void {
  worker.on('error', () => {});
}

/**
 * Ends an unused thread once it has loaded its program: ending it while DuckDB's bindings load would abort the
 * process.
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
