import type { Worker } from 'node:worker_threads';
import type { Part } from '../steps/messages.ts';
import type { WorkerStart } from '../steps/tasks.ts';
import type { Failure } from '../workers/messages.ts';
import { startThread, type ThreadLimits, WorkerLost, WorkerThread } from '../workers/worker-thread.ts';
import type { WorkerLimits } from '../workers/worker-watch.ts';
import {
  type StepAnswer,
  type StepAnswers,
  type StepEvent,
  type StepNote,
  type StepRequest,
  unwatchedRequests,
} from './requests.ts';

/** Callbacks of a request. */
export interface StepHooks {
  /** Commits a part and returns false if the work is no longer wanted. Absent: parts are dropped. */
  readonly onPart?: (part: Part) => Promise<boolean>;
  readonly onProgress?: (episodes: number, bytes: number) => void;
  /** The blob store is unavailable; `null`: it is available again. */
  readonly onWaiting?: (failure: Failure | null) => void;
  /** Called with the total size of the files in bytes, once they are listed. */
  readonly onListed?: (bytes: number) => void;
  /** Called before each dataset is opened. */
  readonly onStep?: (step: string) => void;
  /** Called with warnings that do not concern the recordings. */
  readonly onWarning?: (text: string) => void;
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

/** Starts the program of a worker thread; `StepHandler` in step-handler.ts answers its requests. */
export const startStepThread = (limits: ThreadLimits): Worker =>
  startThread(new URL('./step-handler.ts', import.meta.url), limits);

interface StepThreadOptions {
  /** Limits on reading; default: `defaultLimits`. */
  readonly limits?: WorkerLimits | undefined;
  /** Called when the thread has ended. */
  readonly onExited?: () => void;
  /** Takes back the worker of a thread that was stopped and can be used again. */
  readonly reuse?: (worker: Worker) => Promise<void>;
}

/** A worker thread of commands and of the service: runs one request at a time. */
export class StepThread {
  readonly exited: Promise<void>;
  readonly #thread: WorkerThread<StepRequest, StepAnswer, StepEvent, StepNote>;
  readonly #reuse: StepThreadOptions['reuse'];
  #stopped: Promise<void> | null = null;

  constructor(worker: Worker, { limits, onExited, reuse }: StepThreadOptions = {}) {
    this.#thread = new WorkerThread(worker, limits);
    this.#reuse = reuse;
    this.exited = this.#thread.exited.then(onExited);
  }

  /** Returns true if the thread accepts no more requests. */
  get lost(): boolean {
    return this.#thread.lost;
  }

  /** Opens a run of a command for the requests that follow, with the datasets that the thread has found. */
  open(key: string, start: WorkerStart): void {
    this.#thread.notify({ type: 'open', key, start });
  }

  /** Runs a request and returns its answer. Throws its failure, `ThreadLost` if the thread died, `cancelled` after `signal`. */
  async do<Request extends StepRequest>(
    request: Request,
    hooks: StepHooks,
  ): Promise<StepAnswers[Request['type']]> {
    let place: number | null = null;
    const onEvent = (event: StepEvent) => {
      if (event.type === 'begin') place = event.place;
      else this.#hear(event, hooks);
    };
    const signal = hooks.signal === undefined ? {} : { signal: hooks.signal };
    const watched = !unwatchedRequests.has(request.type);
    try {
      const answer = await this.#thread.do(request, { onEvent, watched, ...signal });
      return answer as StepAnswers[Request['type']];
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) throw thrown;
      throw new ThreadLost(thrown.message, place, thrown.retryable);
    }
  }

  /** Gives the thread back for reuse, or ends it if it is lost or busy. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    if (this.#reuse === undefined) return this.end();
    const worker = await this.#thread.release();
    if (worker !== null) await this.#reuse(worker);
  }

  /** Aborts the current request and ends the thread. */
  async end(): Promise<void> {
    await this.#thread.end();
    await this.exited;
  }

  #hear(event: Exclude<StepEvent, { type: 'begin' }>, hooks: StepHooks): void {
    if (event.type === 'progress') hooks.onProgress?.(event.episodes, event.bytes);
    else if (event.type === 'part') void this.#commit(event.part, hooks);
    else if (event.type === 'waiting') hooks.onWaiting?.(event.failure);
    else if (event.type === 'listed') hooks.onListed?.(event.bytes);
    else if (event.type === 'step') hooks.onStep?.(event.step);
    else hooks.onWarning?.(event.text);
  }

  async #commit(part: Part, { onPart }: StepHooks): Promise<void> {
    try {
      this.#thread.notify({ type: 'committed', wanted: (await onPart?.(part)) ?? true });
    } catch (thrown) {
      this.#thread.fail(thrown);
    }
  }
}
