import { mkdirSync, rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Failure, type WorkerLimits, WorkerLost, WorkerThread } from '#work';
import type { Answer, Order, OrderEvent, Part, ThreadStart, Took } from './thread-messages.ts';

/** A thread that runs out of it is lost, and the file it worked on named. */
const heap_mb = 1024;
/** Left to itself it takes 96 MB a thread and is hardly faster. */
const youngHeap_mb = 24;

export interface OrderHooks {
  /** Commits a part; false when the work was taken away meanwhile. */
  readonly onPart?: (part: Part) => Promise<boolean>;
  readonly onProgress?: (episodes: number, bytes: number) => void;
  readonly onWaiting?: (failure: Failure | null) => void;
  readonly signal?: AbortSignal;
}

/** The thread died under its work; `place`: the unit it was at. */
export class ThreadLost extends WorkerLost {
  readonly place: number | null;

  constructor(why: string, place: number | null, again = true) {
    super(why, again);
    this.place = place;
  }
}

/** A program of its own and limits of its own: for tests. */
export interface ThreadOptions {
  readonly program?: URL;
  readonly limits?: WorkerLimits;
}

const usualProgram = new URL('./run-thread.ts', import.meta.url);

/** A worker thread of runs and jobs, with a folder of its own that is gone when it is. */
export class WorkThread {
  readonly gone: Promise<void>;
  readonly #thread: WorkerThread<Order, Answer, OrderEvent, Took>;

  constructor(start: ThreadStart, { program = usualProgram, limits }: ThreadOptions = {}) {
    mkdirSync(start.scratch, { recursive: true });
    const worker = new Worker(program, {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: youngHeap_mb },
    });
    this.#thread = new WorkerThread(worker, limits);
    this.gone = this.#thread.gone.then(() => rmSync(start.scratch, { recursive: true, force: true }));
  }

  /** It takes no order any more. */
  get lost(): boolean {
    return this.#thread.lost;
  }

  /** Throws what the work failed with, `ThreadLost` when the thread died, `cancelled` after `signal`. */
  async do(order: Order, hooks: OrderHooks): Promise<Answer> {
    let place: number | null = null;
    const onEvent = (event: OrderEvent) => {
      if (event.type === 'begin') place = event.place;
      else if (event.type === 'progress') hooks.onProgress?.(event.episodes, event.bytes);
      else if (event.type === 'waiting') hooks.onWaiting?.(event.failure);
      else void this.#commit(event.part, hooks);
    };
    const signal = hooks.signal === undefined ? {} : { signal: hooks.signal };
    // The other orders read nothing that came from outside, and may compute long.
    const watched = order.type === 'look' || order.type === 'measure';
    try {
      return await this.#thread.do(order, { onEvent, watched, ...signal });
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) throw thrown;
      throw new ThreadLost(thrown.message, place, thrown.again);
    }
  }

  async end(): Promise<void> {
    await this.#thread.end();
    await this.gone;
  }

  async #commit(part: Part, { onPart }: OrderHooks): Promise<void> {
    try {
      this.#thread.tell({ wanted: (await onPart?.(part)) ?? true });
    } catch (thrown) {
      this.#thread.fail(thrown);
    }
  }
}
