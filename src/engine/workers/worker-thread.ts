import { Worker } from 'node:worker_threads';
import { AssayError, limits } from '#core';
import { type FromWorker, fromFailure, type ToWorker } from './messages.ts';
import { defaultLimits, type WorkerLimits, WorkerWatch } from './worker-watch.ts';

/**
 * Time after a cancellation after which a request is rejected, even if the worker is in a long computation and has
 * not answered.
 */
const cancelTimeout_ms = 500;
/** Time to wait for the exit after `terminate()`; a thread inside native code may not react. */
const terminateTimeout_ms = 1000;

/** The worker thread ended during a request. The message is a predicate, to be read after "it". */
export class WorkerLost extends Error {
  /** True if the same request may succeed in another worker. */
  readonly retryable: boolean;

  constructor(why: string, retryable = true) {
    super(why);
    this.retryable = retryable;
  }
}

/** Options of a request to a worker thread. */
export interface RequestOptions<Event> {
  readonly onEvent?: (event: Event) => void;
  /** Aborts the request; it then rejects with the abort reason if that is an AssayError, else with `cancelled`. */
  readonly signal?: AbortSignal;
  /** True if the request reads external data, so that the limits of `WorkerWatch` apply. Default: no limits. */
  readonly watched?: boolean;
}

interface Current<Answer, Event> {
  readonly onEvent: ((event: Event) => void) | undefined;
  /** Reason of the cancellation; the request rejects with it when the worker stops. */
  fault: unknown;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A worker thread as its owner sees it: runs one request at a time and enforces limits on reading. It keeps the
 * process alive only during a request. `serveRequests` is the counterpart in the thread.
 */
export class WorkerThread<Request, Answer, Event = never, Note = never> {
  readonly exited: Promise<void>;
  readonly #worker: Worker;
  readonly #watch: WorkerWatch;
  /** Resolves to true after a reset, to false when the thread has exited. */
  readonly #resetDone = Promise.withResolvers<boolean>();
  #current: Current<Answer, Event> | null = null;
  #cancelled = false;
  #lost: WorkerLost | null = null;

  constructor(worker: Worker, limits: WorkerLimits = defaultLimits) {
    this.#worker = worker;
    this.#watch = new WorkerWatch(worker, limits, ({ reason, retryable }) => {
      this.#cancel(this.#markLost(reason, retryable));
      void this.end();
    });
    worker.on('message', (message: FromWorker<Answer, Event>) => this.#onMessage(message));
    worker.on('error', (error) => this.#markLost(`failed: ${error.message}`));
    this.exited = new Promise((resolve) => {
      const exited = (why: string) => {
        this.#exited(this.#markLost(why));
        this.#resetDone.resolve(false);
        resolve();
      };
      if (worker.threadId < 0) exited('ended before it started');
      else worker.once('exit', (code) => exited(`exited with code ${code}`));
    });
    worker.unref();
  }

  /** Returns true if the worker accepts no more requests. */
  get lost(): boolean {
    return this.#lost !== null;
  }

  /**
   * Runs a request and returns its answer. Throws the failure of the work, `WorkerLost` if the thread died,
   * `cancelled` (or the reason) after `signal`.
   */
  async do(request: Request, options: RequestOptions<Event> = {}): Promise<Answer> {
    if (this.#lost !== null) throw this.#lost;
    const { onEvent, signal, watched } = options;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#current = { onEvent, fault: null, resolve, reject };
    this.#worker.ref();
    const onAbort = () => this.#cancel(abortReason(signal));
    signal?.addEventListener('abort', onAbort);
    if (watched === true) this.#watch.begin();
    this.#post({ type: 'request', request });
    if (signal?.aborted === true) onAbort();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#watch.end();
      this.#worker.unref();
    }
  }

  /** Sends a one-way message to the worker. */
  notify(note: Note): void {
    this.#post({ type: 'note', note });
  }

  /** Aborts the current request, which rejects with `fault`. */
  fail(fault: unknown): void {
    this.#cancel(fault);
  }

  /**
   * Resets the thread and returns it for reuse by another owner. Ends it and returns null if it is lost or busy, or
   * if a request was cancelled.
   */
  async release(): Promise<Worker | null> {
    if (this.#current === null && !this.#cancelled && !this.lost && (await this.#reset())) {
      for (const event of ['message', 'error', 'exit']) this.#worker.removeAllListeners(event);
      return this.#worker;
    }
    await this.end();
    return null;
  }

  /** Aborts the current request and ends the thread, by force if it does not close in time. */
  async end(): Promise<void> {
    this.#markLost('was stopped');
    this.#cancel(abortReason());
    this.#post({ type: 'close' });
    if (await resolvesWithin(this.exited, closeTimeout_ms)) return;
    void this.#worker.terminate();
    await resolvesWithin(this.exited, terminateTimeout_ms);
  }

  async #reset(): Promise<boolean> {
    this.#markLost('was released');
    this.#post({ type: 'reset' });
    let done = false;
    const heard = this.#resetDone.promise.then((answer) => {
      done = answer;
    });
    await resolvesWithin(heard, closeTimeout_ms);
    return done;
  }

  #cancel(fault: unknown): void {
    const current = this.#current;
    if (current === null || current.fault !== null) return;
    current.fault = fault;
    this.#cancelled = true;
    this.#post({ type: 'cancel' });
    setTimeout(() => {
      if (this.#current !== current) return;
      current.reject(fault);
      if (!this.lost) void this.end();
    }, cancelTimeout_ms).unref();
  }

  #onMessage(message: FromWorker<Answer, Event>): void {
    this.#watch.progressed();
    if (message.type === 'closed') void this.#worker.terminate();
    if (message.type === 'was-reset') this.#resetDone.resolve(true);
    const current = this.#current;
    if (current === null) return;
    if (message.type === 'event') current.onEvent?.(message.event);
    else if (message.type === 'answer') current.resolve(message.answer);
    else if (message.type === 'failed') current.reject(current.fault ?? fromFailure(message.failure));
  }

  #exited(lost: WorkerLost): void {
    this.#current?.reject(this.#current.fault ?? lost);
  }

  #markLost(why: string, retryable = true): WorkerLost {
    this.#lost ??= new WorkerLost(why, retryable);
    return this.#lost;
  }

  #post(message: ToWorker<Request, Note>): void {
    this.#worker.postMessage(message);
  }
}

function abortReason(signal?: AbortSignal): AssayError {
  const reason: unknown = signal?.reason;
  return reason instanceof AssayError ? reason : new AssayError('cancelled', 'the work was stopped');
}

/**
 * Time for a thread to close its resources before it is terminated. It interrupts its DuckDB queries meanwhile:
 * terminating a thread during a query would end the process.
 */
const closeTimeout_ms = 3000;

/** Resolves to true once `work` resolves, or to false after `patience_ms`. */
async function resolvesWithin(work: Promise<void>, patience_ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patience_ms);
  const ended = await Promise.race([work.then(() => true), promise]);
  clearTimeout(timer);
  return ended;
}

/** Default heap limit. A thread that exceeds it is lost, and the file that it was reading is reported. */
const defaultHeap_mb = limits.workers.heap_bytes.value / 2 ** 20;
/** Limit of the young generation. V8's default takes 96 MB per thread and is hardly faster. */
const youngGeneration_mb = 24;

/** Options of a new thread. */
export interface ThreadLimits {
  readonly heap_mb?: number;
  /** Value of `workerData` in the thread. */
  readonly data?: unknown;
}

/** Starts and returns a worker thread that runs `program`, with a bounded heap. */
export function startThread(
  program: URL,
  { heap_mb: own = defaultHeap_mb, data }: ThreadLimits = {},
): Worker {
  return new Worker(program, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: own, maxYoungGenerationSizeMb: youngGeneration_mb },
  });
}
