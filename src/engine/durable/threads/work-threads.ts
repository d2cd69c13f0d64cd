import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { keyOf, type StepAnswers, type StepRequest, type ThreadStart } from '../../steps/messages.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { type StepHooks, WorkThread } from './work-thread.ts';

export interface WorkThreadsOptions extends Omit<ThreadStart, 'scratch' | 'model_socket'> {
  /** Of the process's model hosts; threads are shared out to them. */
  readonly model_sockets: readonly string[];
  /** Threads at most. */
  readonly threads: number;
  /** Folder of this process alone, for packs that are being written. */
  readonly scratch: string;
}

/** After so long without work, memory is given back: that of the threads, and what this thread kept for telling of it. */
const idle_ms = 30_000;

/** A process's threads for runs: each request goes to one that is free, if possible one that has the run open. */
export class WorkThreads {
  readonly threads: number;
  readonly #pool: WorkerPool<WorkThread>;
  #named = 0;

  constructor({ threads, scratch, model_sockets, ...start }: WorkThreadsOptions) {
    this.threads = threads;
    this.#pool = new WorkerPool({
      workers: threads,
      idle_ms,
      onRest: () => void collectGarbage(),
      start: () => {
        const at = this.#named++;
        const model_socket = model_sockets[at % model_sockets.length] ?? null;
        return new WorkThread({ ...start, model_socket, scratch: join(scratch, `thread-${at}`) });
      },
    });
  }

  /** Throws as `WorkThread.do`. */
  do<Request extends StepRequest>(request: Request, hooks: StepHooks): Promise<StepAnswers[Request['type']]> {
    return this.#pool.with(keyOf(request), (thread) => {
      hooks.signal?.throwIfAborted();
      return thread.do(request, hooks);
    });
  }

  prepare(): void {
    this.#pool.prepare();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/**
 * Has V8 collect garbage in this thread and give its memory back, where nothing happens that would make it: after long
 * work the room for young objects alone keeps up to 128 MB. Stops the thread for about a tenth of a second.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  // Within its answer, the session cannot end: it would wait for itself.
  await setImmediate();
  session.disconnect();
}
