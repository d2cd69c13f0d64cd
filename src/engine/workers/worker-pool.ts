import { AssayError } from '#core';
import { tooBusy } from './too-busy.ts';

/** What a pool needs to know of the workers that it holds. */
export interface PooledWorker {
  readonly lost: boolean;
  readonly gone: Promise<void>;
  end(): Promise<void>;
}

export interface WorkerPoolOptions<Worker> {
  /** Workers at most. */
  readonly workers: number;
  /** Requests that may wait for one; more are refused as `busy`. */
  readonly waiting?: number;
  /** Workers that had nothing to do for so long are ended, and their memory given back. */
  readonly idle_ms?: number;
  /** Called when all of them are gone for that reason. */
  readonly onRest?: () => void;
  readonly start: () => Worker;
}

interface Idle<Worker> {
  readonly worker: Worker;
  /** What it has open. */
  readonly key: string | null;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A process's workers of one kind: each request goes to one that is free, if possible one that has its key open. */
export class WorkerPool<Worker extends PooledWorker> {
  readonly #options: WorkerPoolOptions<Worker>;
  readonly #waiting: Waiting[] = [];
  readonly #all = new Set<Worker>();
  #idle: Idle<Worker>[] = [];
  #busy = 0;
  #closed = false;
  #rest: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions<Worker>) {
    this.#options = options;
  }

  get workers(): number {
    return this.#options.workers;
  }

  /** Throws what `work` throws, `busy` where too many wait, `cancelled` once the pool is closed. */
  async with<T>(key: string | null, work: (worker: Worker) => Promise<T>): Promise<T> {
    await this.#turn();
    let worker: Worker | null = null;
    try {
      worker = this.#take(key);
      return await work(worker);
    } finally {
      this.#busy--;
      if (worker !== null) this.#giveBack({ worker, key });
      this.#waiting.shift()?.resolve();
    }
  }

  /** Starts workers that will be wanted, so that they load while something else is waited for. */
  prepare(): void {
    while (!this.#closed && this.#idle.length + this.#busy < this.workers) {
      this.#giveBack({ worker: this.#start(), key: null });
    }
  }

  /** Ends all workers, and what they do. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rest);
    this.#idle = [];
    for (const { reject } of this.#waiting.splice(0)) reject(stopping());
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }

  async #turn(): Promise<void> {
    if (this.#busy >= this.workers && this.#waiting.length >= (this.#options.waiting ?? Infinity))
      throw tooBusy();
    while (!this.#closed && this.#busy >= this.workers) {
      await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    }
    this.#busy++;
  }

  #take(key: string | null): Worker {
    if (this.#closed) throw stopping();
    const open = this.#idle.findIndex((idle) => idle.key !== null && idle.key === key);
    const fresh = this.#idle.findIndex((idle) => idle.key === null);
    const [idle] = this.#idle.splice(open >= 0 ? open : Math.max(0, fresh), 1);
    return idle === undefined || idle.worker.lost ? this.#start() : idle.worker;
  }

  #giveBack(idle: Idle<Worker>): void {
    if (this.#closed || idle.worker.lost) return;
    this.#idle.push(idle);
    const { idle_ms } = this.#options;
    if (idle_ms === undefined) return;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#restAll(), idle_ms).unref();
  }

  async #restAll(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ worker }) => worker.end()));
    if (this.#all.size === 0) this.#options.onRest?.();
  }

  #start(): Worker {
    const worker = this.#options.start();
    this.#all.add(worker);
    void worker.gone.then(() => this.#all.delete(worker));
    return worker;
  }
}

const stopping = (): AssayError => new AssayError('cancelled', 'the process stops');
