import { AssayError, limits } from '#core';
import { startThread } from '../../workers/start-thread.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { WorkerLost, WorkerThread } from '../../workers/worker-thread.ts';
import type { ReaderAnswers, ReaderTask } from './reader-tasks.ts';

export interface ReaderLimits {
  readonly threads: number;
  /** Tasks that may wait; more are refused. */
  readonly waiting: number;
  /** For one task; one that needs longer is given up. */
  readonly time_limit_ms: number;
}

/** A thread that runs out of it is ended, and the task with it. */
const heap_mb = limits.workers.reader_heap_bytes.value / 2 ** 20;

type ReaderThread = WorkerThread<ReaderTask, ReaderAnswers[keyof ReaderAnswers]>;

/**
 * A few threads that read shards and recordings, so that neither holds up the event loop nor can take the service down.
 * None is started before it is needed, and none keeps the process alive but for an answer.
 */
export class ReaderThreads {
  readonly #time_limit_ms: number;
  readonly #pool: WorkerPool<ReaderThread>;

  constructor({ threads, waiting, time_limit_ms }: ReaderLimits) {
    this.#time_limit_ms = time_limit_ms;
    this.#pool = new WorkerPool({ workers: threads, waiting, start: startReader });
  }

  /** Throws what the task failed with, `busy` where too many wait, `limit_exceeded` where it took too long. */
  do<Task extends ReaderTask>(task: Task): Promise<ReaderAnswers[Task['type']]> {
    return this.#pool.with(null, (thread) => this.#read(thread, task));
  }

  async #read<Task extends ReaderTask>(
    thread: ReaderThread,
    task: Task,
  ): Promise<ReaderAnswers[Task['type']]> {
    const limit = new AbortController();
    const late = stopped(`it took longer than ${this.#time_limit_ms / 1000} s`);
    const timer = setTimeout(() => limit.abort(late), this.#time_limit_ms);
    try {
      return (await thread.do(task, { signal: limit.signal })) as ReaderAnswers[Task['type']];
    } catch (thrown) {
      throw thrown instanceof WorkerLost ? stopped(`its thread ${thrown.message}`) : thrown;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function startReader(): ReaderThread {
  const program = new URL('./reader-thread.ts', import.meta.url);
  return new WorkerThread(startThread(program, { heap_mb }));
}

const stopped = (why: string): AssayError => new AssayError('limit_exceeded', `reading was stopped: ${why}`);
