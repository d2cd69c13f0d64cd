import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unpackBzip2 } from '../bzip2.ts';
import type { Unpacked } from '../unpacked.ts';
import type { FromUnpackThread, UnpackAnswer, UnpackTask } from './unpack-thread.ts';

/** Tasks a thread has at once, so that it need not wait for the calling one, which decodes meanwhile. */
const tasksPerThread = 2;
/** Packed and unpacked bytes that lie ready or are at work. */
const maxHeldBytes = 16 * 1024 * 1024;
/** The numbers of a bzip2 block lie outside it. */
const heap_mb = 64;

interface PendingTask extends UnpackTask {
  unpacked: Unpacked | null;
  /** Resolved once it is unpacked, or its thread is lost. */
  over: PromiseWithResolvers<void>;
}

interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  /** In the order of their answers. */
  readonly tasks: PendingTask[];
}

/**
 * Unpacks bzip2 in threads before it is asked for; the calling thread helps where it would wait. What comes out is what
 * `unpackBzip2` gives, whichever thread did it: what a lost thread had under way is unpacked by the calling one.
 */
export class UnpackAhead {
  readonly #size: number;
  readonly #program: URL;
  readonly #threads = new Set<Thread>();
  readonly #tasks = new Map<number, PendingTask>();
  /** With no thread yet. */
  readonly #waiting: PendingTask[] = [];
  #heldBytes = 0;
  #started = false;

  /** `threads`: how many to start beside the calling one, once there is something to unpack. */
  constructor(threads: number, program = new URL('./unpack-thread.ts', import.meta.url)) {
    this.#size = threads;
    this.#program = program;
  }

  /** Has it unpacked into at most `size` bytes; keys rise. False: too much is under way, or no thread is there. */
  offer(key: number, packed: Uint8Array, size: number): boolean {
    const bytes = size + packed.length;
    if (this.#heldBytes + bytes > maxHeldBytes) return false;
    this.#start();
    if (this.#threads.size === 0) return false;
    const task: PendingTask = { packed: packed.slice(), size, unpacked: null, over: Promise.withResolvers() };
    this.#heldBytes += bytes;
    this.#tasks.set(key, task);
    this.#waiting.push(task);
    this.#hand();
    return true;
  }

  /** What was offered by this key; null: nothing was. What was offered by lower ones is dropped. */
  take(key: number): Promise<Unpacked> | null {
    for (const [lower, task] of this.#tasks) {
      if (lower >= key) break;
      this.#drop(lower, task);
    }
    const task = this.#tasks.get(key);
    return task === undefined ? null : this.#finish(key, task);
  }

  /** Ends the threads; what was offered and not taken is dropped. */
  async close(): Promise<void> {
    this.#tasks.clear();
    this.#waiting.length = 0;
    const ending = [...this.#threads].map(({ worker }) => worker.terminate());
    this.#threads.clear();
    await Promise.all(ending);
  }

  async #finish(key: number, task: PendingTask): Promise<Unpacked> {
    for (;;) {
      // Answers of the threads are heard only between turns.
      await turn();
      if (task.unpacked !== null) break;
      const own = this.#waiting.shift();
      if (own === undefined) await task.over.promise;
      else own.unpacked = unpackBzip2(own.packed, own.size);
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
    const worker = new Worker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: heap_mb } });
    const thread: Thread = { worker, isReady: false, tasks: [] };
    this.#threads.add(thread);
    worker.unref();
    worker.on('message', (message: FromUnpackThread) => {
      if (message === 'ready') thread.isReady = true;
      else this.#took(thread, message);
      this.#hand();
    });
    worker.on('error', () => {});
    worker.once('exit', () => this.#lost(thread));
  }

  #hand(): void {
    for (const thread of this.#threads) {
      while (thread.isReady && thread.tasks.length < tasksPerThread && this.#waiting.length > 0) {
        const task = this.#waiting.shift()!;
        thread.tasks.push(task);
        thread.worker.ref();
        thread.worker.postMessage({ packed: task.packed, size: task.size } satisfies UnpackTask);
      }
    }
  }

  #took(thread: Thread, { bytes, fault }: UnpackAnswer): void {
    const task = thread.tasks.shift();
    if (task === undefined) return;
    task.unpacked = { bytes, fault: fault === null ? null : new RangeError(fault) };
    task.over.resolve();
    if (thread.tasks.length === 0) thread.worker.unref();
  }

  #lost(thread: Thread): void {
    this.#threads.delete(thread);
    this.#waiting.unshift(...thread.tasks);
    for (const task of thread.tasks) {
      task.over.resolve();
      task.over = Promise.withResolvers();
    }
  }
}
