import { mkdirSync, rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AssayError } from '#kernel';
import { errorOf } from '../../assessment/failure.ts';
import { HandLost } from '../../assessment/hand.ts';
import { endsWithin, letGo_ms } from '../../assessment/letting-go.ts';
import type { Failure } from '../../assessment/messages.ts';
import { ThreadWatch, usualLimits, type WatchLimits } from '../../assessment/thread-watch.ts';
import type { Answer, FromThread, Order, Part, ThreadStart, ToThread } from './thread-messages.ts';

/** A thread that runs out of it is lost, and the file it worked on named. */
const heap_mb = 1024;
/** Left to itself it takes 96 MB a thread and is hardly faster. */
const youngHeap_mb = 24;
/** Long enough for an episode to end; a thread that does not hear by then, in a long computation, is waited for no more. */
const cancelPatience_ms = 700;

export interface OrderHooks {
  /** Commits a part; false when the work was taken away meanwhile. */
  readonly onPart?: (part: Part) => Promise<boolean>;
  readonly onProgress?: (episodes: number, bytes: number) => void;
  readonly onWaiting?: (failure: Failure | null) => void;
  readonly signal?: AbortSignal;
}

interface Current {
  readonly hooks: OrderHooks;
  /** Why it was cancelled; told once the thread has let go of it. */
  fault: unknown;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread died under its work; `place`: the unit it was at. */
export class ThreadLost extends HandLost {
  readonly place: number | null;

  constructor(why: string, place: number | null, again = true) {
    super(why, again);
    this.place = place;
  }
}

/** A program of its own and limits of its own: for tests. */
export interface ThreadOptions {
  readonly program?: URL;
  readonly limits?: WatchLimits;
}

const usualProgram = new URL('./run-thread.ts', import.meta.url);

/** A worker thread as the main thread sees it: one order at a time, ended where reading does not come to an end. */
export class WorkThread {
  readonly #scratch: string;
  readonly #worker: Worker;
  readonly #watch: ThreadWatch;
  readonly #gone = Promise.withResolvers<void>();
  #current: Current | null = null;
  #place: number | null = null;
  #why = 'ended';
  #again = true;
  #lost = false;
  /** Resolved while the thread has nothing to do. */
  #free = Promise.withResolvers<void>();

  constructor(start: ThreadStart, { program = usualProgram, limits = usualLimits }: ThreadOptions = {}) {
    this.#scratch = start.scratch;
    mkdirSync(start.scratch, { recursive: true });
    this.#worker = new Worker(program, {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: youngHeap_mb },
    });
    this.#worker.unref();
    this.#watch = new ThreadWatch(this.#worker, limits, ({ why, again }) => {
      this.#why = why;
      this.#again = again;
      this.#cancel(new ThreadLost(why, this.#place, again));
    });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => {
      this.#why = `failed: ${error.message}`;
    });
    this.#worker.once('exit', () => this.#lose());
    this.#free.resolve();
  }

  /** It takes no order any more. */
  get lost(): boolean {
    return this.#lost;
  }

  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Throws what the work failed with, `ThreadLost` when the thread died, `cancelled` after `signal`. */
  async do(order: Order, hooks: OrderHooks): Promise<Answer> {
    if (this.#lost) throw new ThreadLost(this.#why, null, this.#again);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#current = { hooks, fault: null, resolve, reject };
    this.#place = null;
    this.#free = Promise.withResolvers();
    this.#worker.ref();
    const onAbort = () => this.#cancel(new AssayError('cancelled', 'the work was stopped'));
    hooks.signal?.addEventListener('abort', onAbort);
    // The other orders read nothing that came from outside, and may compute long.
    if (order.type === 'look' || order.type === 'measure') this.#watch.begin();
    this.#post({ type: 'order', order });
    if (hooks.signal?.aborted === true) onAbort();
    try {
      return await promise;
    } finally {
      hooks.signal?.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#watch.end();
      this.#worker.unref();
    }
  }

  /** Ends what it does, and the thread once it has let go of it, or by force where it does not. */
  async end(): Promise<void> {
    this.#lost = true;
    this.#cancel(new AssayError('cancelled', 'the process stops'));
    await endsWithin(this.#free.promise, letGo_ms);
    void this.#worker.terminate();
    await this.#gone.promise;
  }

  #cancel(fault: unknown): void {
    const current = this.#current;
    if (current === null || current.fault !== null) return;
    current.fault = fault;
    this.#post({ type: 'cancel' });
    setTimeout(() => {
      if (this.#current !== current) return;
      current.reject(fault);
      void this.end();
    }, cancelPatience_ms).unref();
  }

  #hear(message: FromThread): void {
    this.#watch.moved();
    if (message.type === 'answer' || message.type === 'failed') this.#free.resolve();
    const current = this.#current;
    if (current === null) return;
    const { hooks } = current;
    if (message.type === 'begin') this.#place = message.place;
    else if (message.type === 'progress') hooks.onProgress?.(message.episodes, message.bytes);
    else if (message.type === 'waiting') hooks.onWaiting?.(message.failure);
    else if (message.type === 'answer') current.resolve(message.answer);
    else if (message.type === 'failed') current.reject(current.fault ?? errorOf(message.failure));
    else void this.#commit(current, message.part);
  }

  async #commit(current: Current, part: Part): Promise<void> {
    try {
      this.#post({ type: 'took', wanted: (await current.hooks.onPart?.(part)) ?? true });
    } catch (thrown) {
      this.#cancel(thrown);
    }
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #lose(): void {
    this.#lost = true;
    this.#current?.reject(this.#current.fault ?? new ThreadLost(this.#why, this.#place, this.#again));
    rmSync(this.#scratch, { recursive: true, force: true });
    this.#free.resolve();
    this.#gone.resolve();
  }
}
