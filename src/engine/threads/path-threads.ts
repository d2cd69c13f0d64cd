import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { AssayError } from '#core';
import type { FromWorker } from '../workers/messages.ts';
import { type ThreadLimits, WorkerLost } from '../workers/worker-thread.ts';
import type { WorkerLimits } from '../workers/worker-watch.ts';
import type { LookRequest, PathRequest, StepAnswers } from './requests.ts';
import { type StepHooks, StepThread, startStepThread } from './step-thread.ts';

/** Heap limit for large work. */
const boundedHeap_mb = 384;
/** Time after which an idle thread is ended. */
const idle_ms = 30_000;

/** An idle thread that has loaded the program. */
interface IdleThread {
  readonly worker: Worker;
  readonly used: boolean;
  readonly timer: NodeJS.Timeout;
}

const idle = new Map<Worker, IdleThread>();

/** Starts a thread in advance, so that it loads the program meanwhile. Does nothing if one is idle. */
export function startThreadEarly(): void {
  if (idle.size === 0) addIdle(startWorker(startStepThread), false);
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

interface ThreadPoolOptions {
  /** Starts the program of a thread; default: `startStepThread`. */
  readonly start?: (limits: ThreadLimits) => Worker;
  /** Limits on reading; default: `defaultLimits`. */
  readonly limits?: WorkerLimits;
}

/**
 * Threads of one call on a path, such as `assess`: without a blob store. Afterwards they stay idle for 30 seconds for the
 * next call.
 */
export class ThreadPool {
  readonly #start: (limits: ThreadLimits) => Worker;
  readonly #watchLimits: WorkerLimits | undefined;
  #limits: ThreadLimits | null = null;

  constructor({ start = startStepThread, limits }: ThreadPoolOptions = {}) {
    this.#start = start;
    this.#watchLimits = limits;
  }

  /** Ends idle threads, and starts new threads with less memory from now on: V8 then collects garbage earlier. */
  async boundMemory(): Promise<void> {
    this.#limits = { heap_mb: boundedHeap_mb };
    await endIdleThreads();
  }

  /** Returns an idle thread, or starts one. `StepThread.stop` gives it back. */
  take(): StepThread {
    const reuse = (worker: Worker) => this.#release(worker);
    return new StepThread(this.#takeWorker(), { limits: this.#watchLimits, reuse });
  }

  #takeWorker(): Worker {
    if (this.#limits !== null || this.#start !== startStepThread)
      return startWorker(this.#start, this.#limits ?? {});
    for (const one of idle.values()) {
      const worker = takeIdle(one);
      if (worker.threadId >= 0) return worker;
    }
    return startWorker(this.#start);
  }

  async #release(worker: Worker): Promise<void> {
    if (this.#limits !== null || this.#start !== startStepThread) return endUnused(worker);
    ignoreErrors(worker);
    addIdle(worker, true);
  }

  /** Ends idle threads that were never used. */
  async dispose(): Promise<void> {
    await Promise.all([...idle.values()].filter(({ used }) => !used).map(endIdle));
  }
}

function startWorker(start: (limits: ThreadLimits) => Worker, limits: ThreadLimits = {}): Worker {
  const worker = start(limits);
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

/** Maximum number of lost threads per request, each on another dataset. */
const maxLostThreads = 8;

/** A request about recordings that the thread finds first. */
type FindingRequest = PathRequest | LookRequest;

/** An answer, and the thread that has the datasets open. */
export interface ThreadAnswer<Request extends FindingRequest> {
  readonly answer: StepAnswers[Request['type']];
  readonly thread: StepThread;
}

/**
 * Sends a request to a thread, and after each crash to a new one without the dataset that crashed it. Returns the answer
 * and its thread. Throws the failure of the request, and `unfinished` if threads are lost before anything is opened.
 */
export async function askThread<Request extends FindingRequest>(
  request: Request,
  threads: ThreadPool,
  hooks: StepHooks,
  signal?: AbortSignal,
): Promise<ThreadAnswer<Request>> {
  const given_up = new Map<string, string>();
  for (;;) {
    let step: string | null = null;
    const onStep = (next: string) => {
      step = next;
    };
    const thread = threads.take();
    const onAbort = () => void thread.stop();
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      const answer = await thread.do({ ...request, given_up }, { ...hooks, onStep });
      // The request may have ended before the abort arrived.
      signal?.throwIfAborted();
      return { answer, thread };
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) await thread.stop();
      signal?.throwIfAborted();
      if (!(thrown instanceof WorkerLost)) throw thrown;
      if (step === null || given_up.has(step) || given_up.size >= maxLostThreads)
        throw threadLostError(request, thrown);
      given_up.set(step, thrown.message);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

function threadLostError(request: FindingRequest, thrown: WorkerLost): AssayError {
  const recordings = 'sources' in request ? request.sources[0] : request.recordings;
  return new AssayError('unfinished', `the thread that opens the recordings ${thrown.message}`, {
    ...(typeof recordings === 'string' ? { path: recordings } : {}),
    advice: 'assess smaller parts to find the file that cannot be opened',
  });
}

/** Returns the answer of a thread to a request as `askThread` does, and then stops the thread. */
export async function doInThread<Request extends FindingRequest>(
  request: Request,
  hooks: StepHooks,
  signal?: AbortSignal,
): Promise<StepAnswers[Request['type']]> {
  const threads = new ThreadPool();
  try {
    const { answer, thread } = await askThread(request, threads, hooks, signal);
    await thread.stop();
    return answer;
  } finally {
    await threads.dispose();
  }
}
