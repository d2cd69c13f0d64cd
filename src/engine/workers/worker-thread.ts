import type { Worker } from 'node:worker_threads';
import { AssayError } from '#core';
import { errorOf } from './failure.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { usualLimits, type WorkerLimits, WorkerWatch } from './worker-watch.ts';

/** Long enough for an episode to end; a worker that does not hear by then, in a long computation, is waited for no more. */
const cancelPatience_ms = 500;
/** A thread inside a library's own code does not hear that it is ended. */
const endPatience_ms = 1000;

/** The worker ended under its work; the message says how, after "it". */
export class WorkerLost extends Error {
  /** Another worker may come through. */
  readonly again: boolean;

  constructor(why: string, again = true) {
    super(why);
    this.again = again;
  }
}

export interface RequestOptions<Event> {
  readonly onEvent?: (event: Event) => void;
  /** Ends the request; where its reason is an AssayError, with that one. */
  readonly signal?: AbortSignal;
  /** It reads what came from outside and has limits; the rest computes on what was measured, as long as that takes. */
  readonly watched?: boolean;
}

interface Current<Answer, Event> {
  readonly onEvent: ((event: Event) => void) | undefined;
  /** Why it was cancelled; told once the worker has let go of it. */
  fault: unknown;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A worker thread as the thread that started it sees it: one request at a time, ended where reading does not come to
 * an end. It keeps the process alive only while it has a request. `serveRequests` is its other side.
 */
export class WorkerThread<Request, Answer, Event = never, Note = never> {
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  readonly #watch: WorkerWatch;
  /** Resolves true once it was reset, false once it is gone. */
  readonly #wasReset = Promise.withResolvers<boolean>();
  #current: Current<Answer, Event> | null = null;
  #cancelled = false;
  #lost: WorkerLost | null = null;

  constructor(worker: Worker, limits: WorkerLimits = usualLimits) {
    this.#worker = worker;
    this.#watch = new WorkerWatch(worker, limits, ({ why, again }) => {
      this.#cancel(this.#lose(why, again));
      void this.end();
    });
    worker.on('message', (message: FromWorker<Answer, Event>) => this.#hear(message));
    worker.on('error', (error) => this.#lose(`failed: ${error.message}`));
    this.gone = new Promise((resolve) => {
      const exited = (why: string) => {
        this.#exited(this.#lose(why));
        this.#wasReset.resolve(false);
        resolve();
      };
      if (worker.threadId < 0) exited('ended before it began');
      else worker.once('exit', (code) => exited(`ended with code ${code}`));
    });
    worker.unref();
  }

  /** It takes no request any more. */
  get lost(): boolean {
    return this.#lost !== null;
  }

  /** Throws what the work failed with, `WorkerLost` when the worker died, `cancelled` after `signal`. */
  async do(request: Request, options: RequestOptions<Event> = {}): Promise<Answer> {
    if (this.#lost !== null) throw this.#lost;
    const { onEvent, signal, watched } = options;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#current = { onEvent, fault: null, resolve, reject };
    this.#worker.ref();
    const onAbort = () => this.#cancel(faultOf(signal));
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

  tell(note: Note): void {
    this.#post({ type: 'note', note });
  }

  /** Ends the request under way with this fault. */
  fail(fault: unknown): void {
    this.#cancel(fault);
  }

  /**
   * Resets the thread and returns it, to be used by somebody else. Ends it and returns null if it is lost or busy, or if a
   * request was cancelled.
   */
  async release(): Promise<Worker | null> {
    if (this.#current === null && !this.#cancelled && !this.lost && (await this.#reset())) {
      for (const event of ['message', 'error', 'exit']) this.#worker.removeAllListeners(event);
      return this.#worker;
    }
    await this.end();
    return null;
  }

  /** Ends what it does, and the thread once it has let go of it, or by force where it does not. */
  async end(): Promise<void> {
    this.#lose('was stopped');
    this.#cancel(faultOf());
    this.#post({ type: 'close' });
    if (await endsWithin(this.gone, letGo_ms)) return;
    void this.#worker.terminate();
    await endsWithin(this.gone, endPatience_ms);
  }

  async #reset(): Promise<boolean> {
    this.#lose('was released');
    this.#post({ type: 'reset' });
    let done = false;
    const heard = this.#wasReset.promise.then((answer) => {
      done = answer;
    });
    await endsWithin(heard, letGo_ms);
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
    }, cancelPatience_ms).unref();
  }

  #hear(message: FromWorker<Answer, Event>): void {
    this.#watch.moved();
    if (message.type === 'closed') void this.#worker.terminate();
    if (message.type === 'was-reset') this.#wasReset.resolve(true);
    const current = this.#current;
    if (current === null) return;
    if (message.type === 'event') current.onEvent?.(message.event);
    else if (message.type === 'answer') current.resolve(message.answer);
    else if (message.type === 'failed') current.reject(current.fault ?? errorOf(message.failure));
  }

  #exited(lost: WorkerLost): void {
    this.#current?.reject(this.#current.fault ?? lost);
  }

  #lose(why: string, again = true): WorkerLost {
    this.#lost ??= new WorkerLost(why, again);
    return this.#lost;
  }

  #post(message: ToWorker<Request, Note>): void {
    this.#worker.postMessage(message);
  }
}

function faultOf(signal?: AbortSignal): AssayError {
  const reason: unknown = signal?.reason;
  return reason instanceof AssayError ? reason : new AssayError('cancelled', 'the work was stopped');
}

/**
 * How long a thread may take to let go of what it does, before it is ended by force. It has DuckDB end its queries
 * meanwhile: ending a thread over one ends the process.
 */
const letGo_ms = 3000;

/** False when time was up. */
async function endsWithin(work: Promise<void>, patience_ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patience_ms);
  const ended = await Promise.race([work.then(() => true), promise]);
  clearTimeout(timer);
  return ended;
}
