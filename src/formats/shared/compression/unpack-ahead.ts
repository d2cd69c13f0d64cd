import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unpackBzip2 } from './bzip2.ts';
import type { FromUnpackThread, UnpackAnswer, UnpackTask } from './unpack-thread.ts';
import type { UnpackResult } from './unpacked.ts';

/** Tasks queued per thread, so that it does not wait for the calling thread, which decodes meanwhile. */
const tasksPerThread = 2;
/** Maximum packed and unpacked bytes that are ready or in progress. */
const maxHeldBytes = 16 * 1024 * 1024;
/** Heap limit of a thread in MB; the arrays of a bzip2 block lie outside the heap. */
const maxHeapMb = 64;

interface PendingTask extends UnpackTask {
  unpacked: UnpackResult | null;
  /** Resolves when the task is unpacked or its thread has exited. */
  settled: PromiseWithResolvers<void>;
}

interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  /** Tasks in progress, in the order of their answers. */
  readonly tasks: PendingTask[];
}

/**
 * Unpacks bzip2 data ahead of time in worker threads; the calling thread helps instead of waiting. The result equals
 * `unpackBzip2`. Tasks of a thread that exits are unpacked by the calling thread.
 */
export class UnpackAhead {
  readonly #size: number;
  readonly #program: URL;
  readonly #threads = new Set<Thread>();
  readonly #tasks = new Map<number, PendingTask>();
  /** Tasks that are not assigned to a thread yet. */
  readonly #waiting: PendingTask[] = [];
  #heldBytes = 0;
  #started = false;

  /** `threads`: number of worker threads, started with the first task. */
  constructor(threads: number, program = new URL('./unpack-thread.ts', import.meta.url)) {
    this.#size = threads;
    this.#program = program;
  }

  /**
   * Queues a copy of data to unpack into at most `size` bytes; returns false if too much is in progress or there is no
   * thread. Keys must rise.
   */
  offer(key: number, packed: Uint8Array, size: number): boolean {
    const bytes = size + packed.length;
    if (this.#heldBytes + bytes > maxHeldBytes) return false;
    this.#start();
    if (this.#threads.size === 0) return false;
    const task: PendingTask = {
      packed: packed.slice(),
      size,
      unpacked: null,
      settled: Promise.withResolvers(),
    };
    this.#heldBytes += bytes;
    this.#tasks.set(key, task);
    this.#waiting.push(task);
    this.#dispatch();
    return true;
  }

  /**
   * Returns the result for a key, unpacking queued tasks on this thread meanwhile; `null` if none was offered. Drops
   * tasks with lower keys.
   */
  take(key: number): Promise<UnpackResult> | null {
    for (const [lower, task] of this.#tasks) {
      if (lower >= key) break;
      this.#drop(lower, task);
    }
    const task = this.#tasks.get(key);
    return task === undefined ? null : this.#unpacked(key, task);
  }

  /** Terminates the threads and drops all tasks. */
  async close(): Promise<void> {
    this.#tasks.clear();
    this.#waiting.length = 0;
    const ending = [...this.#threads].map(({ worker }) => worker.terminate());
    this.#threads.clear();
    await Promise.all(ending);
  }

  async #unpacked(key: number, task: PendingTask): Promise<UnpackResult> {
    for (;;) {
      // Messages of the threads are only delivered between event loop turns.
      await turn();
      if (task.unpacked !== null) break;
      const unassigned = this.#waiting.shift();
      if (unassigned === undefined) await task.settled.promise;
      else unassigned.unpacked = unpackBzip2(unassigned.packed, unassigned.size);
    }
    this.#drop(key, task);
    return task.unpacked;
  }

  #drop(key: number, task: PendingTask): void {
    this.#tasks.delete(key);
    this.#heldBytes -= task.size + task.packed.length;
    const at = this.#waiting.indexOf(task);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    for (let i = 0; i < this.#size; i++) this.#startOne();
  }

  #startOne(): void {
    const worker = new Worker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    const thread: Thread = { worker, isReady: false, tasks: [] };
    this.#threads.add(thread);
    worker.unref();
    worker.on('message', (message: FromUnpackThread) => {
      if (message === 'ready') thread.isReady = true;
      else this.#onAnswer(thread, message);
      this.#dispatch();
    });
    worker.on('error', () => {});
    worker.once('exit', () => this.#onThreadExit(thread));
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      while (thread.isReady && thread.tasks.length < tasksPerThread && this.#waiting.length > 0) {
        const task = this.#waiting.shift()!;
        thread.tasks.push(task);
        thread.worker.ref();
        thread.worker.postMessage({ packed: task.packed, size: task.size } satisfies UnpackTask);
      }
    }
  }

  #onAnswer(thread: Thread, { bytes, fault }: UnpackAnswer): void {
    const task = thread.tasks.shift();
    if (task === undefined) return;
    task.unpacked = { bytes, fault: fault === null ? null : new RangeError(fault) };
    task.settled.resolve();
    if (thread.tasks.length === 0) thread.worker.unref();
  }

  #onThreadExit(thread: Thread): void {
    this.#threads.delete(thread);
    this.#waiting.unshift(...thread.tasks);
    for (const task of thread.tasks) {
      task.settled.resolve();
      task.settled = Promise.withResolvers();
    }
  }
}
