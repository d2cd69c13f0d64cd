import { mkdirSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type Part,
  type PartReply,
  requestKey,
  type StepAnswer,
  type StepAnswers,
  type StepEvent,
  type StepRequest,
  type ThreadStart,
} from '../../steps/messages.ts';
import type { Failure } from '../../workers/messages.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { startThread, WorkerLost, WorkerThread } from '../../workers/worker-thread.ts';
import type { WorkerLimits } from '../../workers/worker-watch.ts';

/** Options of a pool of worker threads. */
export interface WorkThreadsOptions extends Omit<ThreadStart, 'scratch' | 'model_socket'> {
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
 * Pool of worker threads for runs, jobs and exports. A request goes to a free thread, preferably to one that has its
 * run open.
 */
export class WorkThreads {
  readonly threads: number;
  readonly #pool: WorkerPool<WorkThread>;
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
        return new WorkThread({ ...start, model_socket, scratch: join(scratch, `thread-${at}`) });
      },
    });
  }

  /** Runs a request on a thread. Throws as `WorkThread.do`. */
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

/** Callbacks of a request. */
export interface StepHooks {
  /** Commits a part and returns false if the work is no longer wanted. */
  readonly onPart?: (part: Part) => Promise<boolean>;
  readonly onProgress?: (episodes: number, bytes: number) => void;
  readonly onWaiting?: (failure: Failure | null) => void;
  readonly signal?: AbortSignal;
}

/** A worker thread died during a request; `place` is the unit it was working on. */
export class ThreadLost extends WorkerLost {
  readonly place: number | null;

  constructor(why: string, place: number | null, retryable = true) {
    super(why, retryable);
    this.place = place;
  }
}

/** Program and limits, for tests. */
interface ThreadOptions {
  readonly program?: URL;
  readonly limits?: WorkerLimits;
}

const watchedRequests: ReadonlySet<StepRequest['type']> = new Set([
  'look',
  'measure',
  'annotate',
  'film',
  'export',
]);

const defaultProgram = new URL('./step-thread.ts', import.meta.url);

/**
 * A worker thread of runs, jobs and exports, with a private folder that is removed with it. step-thread.ts answers its requests on
 * the thread's side.
 */
export class WorkThread {
  readonly exited: Promise<void>;
  readonly #thread: WorkerThread<StepRequest, StepAnswer, StepEvent, PartReply>;

  constructor(start: ThreadStart, { program = defaultProgram, limits }: ThreadOptions = {}) {
    mkdirSync(start.scratch, { recursive: true });
    const worker = startThread(program, { data: start });
    this.#thread = new WorkerThread(worker, limits);
    this.exited = this.#thread.exited.then(() => rmSync(start.scratch, { recursive: true, force: true }));
  }

  /** True if the thread accepts no more requests. */
  get lost(): boolean {
    return this.#thread.lost;
  }

  /** Runs a request. Throws its failure, `ThreadLost` if the thread died, `cancelled` after `signal`. */
  async do<Request extends StepRequest>(
    request: Request,
    hooks: StepHooks,
  ): Promise<StepAnswers[Request['type']]> {
    let place: number | null = null;
    const onEvent = (event: StepEvent) => {
      if (event.type === 'begin') place = event.place;
      else if (event.type === 'progress') hooks.onProgress?.(event.episodes, event.bytes);
      else if (event.type === 'waiting') hooks.onWaiting?.(event.failure);
      else void this.#commit(event.part, hooks);
    };
    const signal = hooks.signal === undefined ? {} : { signal: hooks.signal };
    // Other requests read no external data and may compute for long.
    const watched = watchedRequests.has(request.type);
    try {
      const answer = await this.#thread.do(request, { onEvent, watched, ...signal });
      return answer as StepAnswers[Request['type']];
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) throw thrown;
      throw new ThreadLost(thrown.message, place, thrown.retryable);
    }
  }

  /** Ends the thread and removes its folder. */
  async end(): Promise<void> {
    await this.#thread.end();
    await this.exited;
  }

  async #commit(part: Part, { onPart }: StepHooks): Promise<void> {
    try {
      this.#thread.notify({ wanted: (await onPart?.(part)) ?? true });
    } catch (thrown) {
      this.#thread.fail(thrown);
    }
  }
}
