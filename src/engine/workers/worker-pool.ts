import { AssayError } from '#core';

/** Interface of the workers that a pool can hold. */
export interface PooledWorker {
  readonly lost: boolean;
  readonly exited: Promise<void>;
  end(): Promise<void>;
}

/** Options of a worker pool. */
export interface WorkerPoolOptions<Worker> {
  /** Maximum number of workers. */
  readonly workers: number;
  /** Maximum number of waiting requests; more are refused with `busy`. Unlimited if absent. */
  readonly maxWaiting?: number;
  /** All idle workers are ended after this time without requests, to free their memory. Never if absent. */
  readonly idle_ms?: number;
  /** Called when no worker is left after idle workers were ended. */
  readonly onIdle?: () => void;
  readonly start: () => Worker;
}

interface Idle<Worker> {
  readonly worker: Worker;
  /** Key of the last request, whose data the worker may still have open. */
  readonly key: string | null;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Pool of workers of one kind. A request goes to an idle worker, preferably to one that served the same key last. */
export class WorkerPool<Worker extends PooledWorker> {
  readonly #options: WorkerPoolOptions<Worker>;
  readonly #waiting: Waiting[] = [];
  readonly #all = new Set<Worker>();
  #idle: Idle<Worker>[] = [];
  #busy = 0;
  #closed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions<Worker>) {
    this.#options = options;
  }

  /** Returns the maximum number of workers. */
  get workers(): number {
    return this.#options.workers;
  }

  /**
   * Runs `work` with a worker, once one is free, and returns its result. Throws what `work` throws, `busy` if too many
   * requests wait, `cancelled` once the pool is closed.
   */
  async with<T>(key: string | null, work: (worker: Worker) => Promise<T>): Promise<T> {
    await this.#waitForSlot();
    let worker: Worker | null = null;
    try {
      worker = this.#acquire(key);
      return await work(worker);
    } finally {
      this.#busy--;
      if (worker !== null) this.#makeIdle({ worker, key });
      this.#waiting.shift()?.resolve();
    }
  }

  /** Starts all workers of the pool, so that they load the program before the first requests. */
  prepare(): void {
    while (!this.#closed && this.#idle.length + this.#busy < this.workers) {
      this.#makeIdle({ worker: this.#start(), key: null });
    }
  }

  /** Ends all workers, aborts their requests and rejects waiting ones with `cancelled`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    this.#idle = [];
    for (const { reject } of this.#waiting.splice(0)) reject(shutdownError());
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }

  async #waitForSlot(): Promise<void> {
    if (this.#busy >= this.workers && this.#waiting.length >= (this.#options.maxWaiting ?? Infinity))
      throw busyError();
    while (!this.#closed && this.#busy >= this.workers) {
      await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    }
    this.#busy++;
  }

  #acquire(key: string | null): Worker {
    if (this.#closed) throw shutdownError();
    const open = this.#idle.findIndex((idle) => idle.key !== null && idle.key === key);
    const fresh = this.#idle.findIndex((idle) => idle.key === null);
    const [idle] = this.#idle.splice(open >= 0 ? open : Math.max(0, fresh), 1);
    return idle === undefined || idle.worker.lost ? this.#start() : idle.worker;
  }

  #makeIdle(idle: Idle<Worker>): void {
    if (this.#closed || idle.worker.lost) return;
    this.#idle.push(idle);
    const { idle_ms } = this.#options;
    if (idle_ms === undefined) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#endIdle(), idle_ms).unref();
  }

  async #endIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ worker }) => worker.end()));
    if (this.#all.size === 0) this.#options.onIdle?.();
  }

  #start(): Worker {
    const worker = this.#options.start();
    this.#all.add(worker);
    void worker.exited.then(() => this.#all.delete(worker));
    return worker;
  }
}

const shutdownError = (): AssayError => new AssayError('cancelled', 'the process is shutting down');

/** Returns the error `busy` for too many waiting requests, with `retry_after_s`. */
export const busyError = (): AssayError =>
  new AssayError('busy', 'too many requests of this kind are queued', { details: { retry_after_s: 1 } });
