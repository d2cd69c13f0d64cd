import { join } from 'node:path';
import { AssayError } from '#kernel';
import { type Answer, keyOf, type Order, type ThreadStart } from './thread-messages.ts';
import { type OrderHooks, WorkThread } from './work-thread.ts';

export interface WorkThreadsOptions extends Omit<ThreadStart, 'scratch'> {
  /** Threads at most. */
  readonly threads: number;
  /** Folder of this process alone, for packs that are being written. */
  readonly scratch: string;
}

/** An idle thread's memory is given back after so long. */
const idle_ms = 30_000;

interface Idle {
  readonly thread: WorkThread;
  /** The run it has open. */
  readonly key: string | null;
}

/** A process's threads for runs: each order goes to one that is free, if possible one that has the run open. */
export class WorkThreads {
  readonly threads: number;
  readonly #options: WorkThreadsOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #all = new Set<WorkThread>();
  #idle: Idle[] = [];
  #busy = 0;
  #named = 0;
  #closed = false;
  #rest: NodeJS.Timeout | undefined;

  constructor(options: WorkThreadsOptions) {
    this.threads = options.threads;
    this.#options = options;
  }

  /** Throws as `WorkThread.do`. */
  async do(order: Order, hooks: OrderHooks): Promise<Answer> {
    await this.#turn();
    const key = keyOf(order);
    let thread: WorkThread | null = null;
    try {
      hooks.signal?.throwIfAborted();
      thread = this.#take(key);
      return await thread.do(order, hooks);
    } finally {
      this.#busy--;
      if (thread !== null) this.#giveBack({ thread, key });
      this.#waiting.shift()?.();
    }
  }

  /** Starts threads that will be wanted, so that they load while something else is waited for. */
  prepare(): void {
    while (!this.#closed && this.#idle.length + this.#busy < this.threads) {
      this.#giveBack({ thread: this.#start(), key: null });
    }
  }

  /** Ends all threads, and what they do with them. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rest);
    this.#idle = [];
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  async #turn(): Promise<void> {
    while (this.#busy >= this.threads) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#busy++;
  }

  #take(key: string | null): WorkThread {
    if (this.#closed) throw new AssayError('cancelled', 'the process stops');
    const open = this.#idle.findIndex((idle) => idle.key !== null && idle.key === key);
    const fresh = this.#idle.findIndex((idle) => idle.key === null);
    const [idle] = this.#idle.splice(open >= 0 ? open : Math.max(0, fresh), 1);
    return idle === undefined || idle.thread.lost ? this.#start() : idle.thread;
  }

  #giveBack(idle: Idle): void {
    if (this.#closed || idle.thread.lost) return;
    this.#idle.push(idle);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#restAll(), idle_ms).unref();
  }

  #restAll(): void {
    for (const { thread } of this.#idle.splice(0)) void thread.end();
  }

  #start(): WorkThread {
    const { blobs, scratch, patience_ms } = this.#options;
    const own = join(scratch, `thread-${this.#named++}`);
    const thread = new WorkThread({ blobs, patience_ms, scratch: own });
    this.#all.add(thread);
    void thread.gone.then(() => this.#all.delete(thread));
    return thread;
  }
}
