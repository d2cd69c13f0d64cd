import { mkdirSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { WorkerPool } from '../workers/worker-pool.ts';
import { requestKey, type StepAnswers, type StepRequest, type ThreadStart } from './requests.ts';
import { type StepHooks, StepThread, startStepThread } from './step-thread.ts';

/** Options of a pool of worker threads. */
interface WorkThreadsOptions extends Omit<ThreadStart, 'scratch' | 'model_socket'> {
  /** Sockets of the process's model hosts; threads are distributed over them. */
  readonly model_sockets: readonly string[];
  /** Maximum number of threads. */
  readonly threads: number;
  /** Private folder of the process for files that are being written. */
  readonly scratch: string;
}

/** Time without work after which memory is freed: that of the threads, and that of this thread for events. */
const idle_ms = 30_000;

/**
 * Pool of worker threads with a blob store, for runs, jobs and exports. A request goes to a free thread, preferably to
 * one that has its run open.
 */
export class WorkThreads {
  readonly threads: number;
  readonly #pool: WorkerPool<StepThread>;
  #started = 0;

  constructor({ threads, scratch, model_sockets, ...start }: WorkThreadsOptions) {
    this.threads = threads;
    this.#pool = new WorkerPool({
      workers: threads,
      idle_ms,
      onIdle: () => void collectGarbage(),
      start: () => {
        const at = this.#started++;
        const model_socket = model_sockets[at % model_sockets.length] ?? null;
        return startWorkThread({ ...start, model_socket, scratch: join(scratch, `thread-${at}`) });
      },
    });
  }

  /** Runs a request on a thread and returns its answer. Throws as `StepThread.do`. */
  do<Request extends StepRequest>(request: Request, hooks: StepHooks): Promise<StepAnswers[Request['type']]> {
    return this.#pool.with(requestKey(request), (thread) => {
      hooks.signal?.throwIfAborted();
      return thread.do(request, hooks);
    });
  }

  /** Starts all threads in advance. */
  prepare(): void {
    this.#pool.prepare();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Starts and returns a thread with a blob store and a private folder, which is removed when it has ended. */
function startWorkThread(start: ThreadStart): StepThread {
  mkdirSync(start.scratch, { recursive: true });
  return new StepThread(startStepThread({ data: start }), {
    onExited: () => rmSync(start.scratch, { recursive: true, force: true }),
  });
}

/**
 * Makes V8 collect garbage in this thread and free memory: after long work the young generation alone keeps up to 128
 * MB. Blocks the thread for about 0.1 s.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  // The session cannot be closed within its own callback.
  await setImmediate();
  session.disconnect();
}
