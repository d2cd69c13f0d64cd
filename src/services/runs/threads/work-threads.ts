import { join } from 'node:path';
import { WorkerPool } from '#work';
import { type Answer, keyOf, type Order, type ThreadStart } from './thread-messages.ts';
import { type OrderHooks, WorkThread } from './work-thread.ts';

export interface WorkThreadsOptions extends Omit<ThreadStart, 'scratch'> {
  /** Threads at most. */
  readonly threads: number;
  /** Folder of this process alone, for packs that are being written. */
  readonly scratch: string;
}

/** An idle thread's memory is given back after so long. */
const idle_ms = 30_000;

/** A process's threads for runs: each order goes to one that is free, if possible one that has the run open. */
export class WorkThreads {
  readonly threads: number;
  readonly #pool: WorkerPool<WorkThread>;
  #named = 0;

  constructor({ threads, scratch, ...start }: WorkThreadsOptions) {
    this.threads = threads;
    this.#pool = new WorkerPool({
      workers: threads,
      idle_ms,
      start: () => new WorkThread({ ...start, scratch: join(scratch, `thread-${this.#named++}`) }),
    });
  }

  /** Throws as `WorkThread.do`. */
  do(order: Order, hooks: OrderHooks): Promise<Answer> {
    return this.#pool.with(keyOf(order), (thread) => {
      hooks.signal?.throwIfAborted();
      return thread.do(order, hooks);
    });
  }

  prepare(): void {
    this.#pool.prepare();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
