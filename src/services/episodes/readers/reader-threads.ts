import { Worker } from 'node:worker_threads';
import { AssayError } from '#kernel';
import { errorOf } from '../../assessment/failure.ts';
import { endsWithin, letGo_ms } from '../../assessment/letting-go.ts';
import { tooBusy } from '../too-busy.ts';
import type { ReaderAnswer, ReaderAnswers, ReaderTask, ToReader } from './reader-tasks.ts';

export interface ReaderLimits {
  readonly threads: number;
  /** Tasks that may wait; more are refused. */
  readonly waiting: number;
  /** For one task; one that needs longer is given up. */
  readonly time_limit_ms: number;
}

/** A thread that runs out of it is ended, and the task with it. */
const heap_mb = 512;

interface Job {
  readonly task: ReaderTask;
  readonly resolve: (answer: ReaderAnswers[keyof ReaderAnswers]) => void;
  readonly reject: (error: Error) => void;
  /** Resolved when the thread has let go of it. */
  readonly over: PromiseWithResolvers<void>;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  timer: NodeJS.Timeout | null;
  /** Why it ends, once it does. */
  why: string;
}

/**
 * A few threads that read shards and recordings, so that neither holds up the event loop nor can take the service down.
 * None is started before it is needed, and none keeps the process alive but for an answer.
 */
export class ReaderThreads {
  readonly #limits: ReaderLimits;
  readonly #waiting: Job[] = [];
  readonly #threads = new Set<Thread>();
  #closed = false;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
  }

  /** Throws what the task failed with, `busy` where too many wait, `limit_exceeded` where it took too long. */
  async do<Task extends ReaderTask>(task: Task): Promise<ReaderAnswers[Task['type']]> {
    if (this.#closed) throw stopping();
    if (this.#waiting.length >= this.#limits.waiting) throw tooBusy();
    const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswers[keyof ReaderAnswers]>();
    this.#waiting.push({ task, resolve, reject, over: Promise.withResolvers() });
    this.#hand();
    return (await promise) as ReaderAnswers[Task['type']];
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(stopping());
    const ending = [...this.#threads].map(async (thread) => {
      if (thread.job !== null) await this.#giveUp(thread, thread.job, stopping());
      await thread.worker.terminate();
    });
    await Promise.all(ending);
  }

  #hand(): void {
    while (this.#waiting.length > 0) {
      const idle = [...this.#threads].find(({ job }) => job === null);
      const thread = idle ?? (this.#threads.size < this.#limits.threads ? this.#start() : null);
      if (thread === null) return;
      this.#work(thread, this.#waiting.shift()!);
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heap_mb },
    });
    const thread: Thread = { worker, job: null, timer: null, why: 'the reading thread ended' };
    this.#threads.add(thread);
    worker.on('message', (message: ReaderAnswer) => {
      const job = this.#release(thread);
      if ('answer' in message) job?.resolve(message.answer);
      else job?.reject(errorOf(message.failure));
      this.#hand();
    });
    worker.on('error', (error) => {
      thread.why = error.message;
    });
    worker.once('exit', () => this.#lost(thread));
    return thread;
  }

  #work(thread: Thread, job: Job): void {
    const { time_limit_ms } = this.#limits;
    thread.job = job;
    thread.timer = setTimeout(() => {
      void this.#giveUp(thread, job, stopped(`it took longer than ${time_limit_ms / 1000} s`));
    }, time_limit_ms);
    thread.worker.ref();
    thread.worker.postMessage(job.task satisfies ToReader);
  }

  /** Has the thread let go of its job, and ends it where it does not. */
  async #giveUp({ worker }: Thread, { reject, over }: Job, why: AssayError): Promise<void> {
    reject(why);
    worker.postMessage('stop' satisfies ToReader);
    if (!(await endsWithin(over.promise, letGo_ms))) await worker.terminate();
  }

  #release(thread: Thread): Job | null {
    const { job } = thread;
    if (thread.timer !== null) clearTimeout(thread.timer);
    thread.job = null;
    thread.timer = null;
    thread.worker.unref();
    job?.over.resolve();
    return job;
  }

  #lost(thread: Thread): void {
    this.#threads.delete(thread);
    const job = this.#release(thread);
    job?.reject(this.#closed ? stopping() : stopped(thread.why));
    this.#hand();
  }
}

const stopped = (why: string): AssayError => new AssayError('limit_exceeded', `reading was stopped: ${why}`);

const stopping = (): AssayError => new AssayError('cancelled', 'the service stops');
