import type { Worker } from 'node:worker_threads';
import { AssayError } from '#kernel';
import type { CompareTask, ComparisonResult } from './conclude.ts';
import { errorOf } from './failure.ts';
import { type Hand, HandLost } from './hand.ts';
import type {
  FromWorker,
  JudgedUnit,
  JudgeTask,
  MeasuredUnit,
  Task,
  ToWorker,
  WorkerStart,
} from './messages.ts';

const stopPatience_ms = 3000;

type Answer = Exclude<FromWorker, { type: 'progress' }>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread that does one thing at a time. */
export class ThreadHand implements Hand {
  readonly #onProgress: (episodes: number, bytes: number) => void;
  readonly #worker: Worker;
  readonly #gone: Promise<void>;
  #waiting: Waiting | null = null;
  #lost: HandLost | null = null;

  constructor(worker: Worker, start: WorkerStart, onProgress: (episodes: number, bytes: number) => void) {
    this.#onProgress = onProgress;
    this.#worker = worker;
    worker.postMessage({ type: 'start', start } satisfies ToWorker);
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#lose(error.message));
    if (worker.threadId < 0) this.#lose('the worker ended before it began');
    this.#gone = new Promise((resolve) => {
      if (worker.threadId < 0) resolve();
      this.#worker.once('exit', (code) => {
        this.#lose(`the worker ended with code ${code}`);
        resolve();
      });
    });
  }

  async measure(task: Task): Promise<MeasuredUnit> {
    const answer = await this.#ask({ type: 'measure', task });
    return answer.type === 'measured' ? answer.unit : refuse(answer);
  }

  async compare(task: CompareTask): Promise<ComparisonResult> {
    const answer = await this.#ask({ type: 'compare', task });
    return answer.type === 'compared' ? answer.result : refuse(answer);
  }

  async judge(task: JudgeTask): Promise<JudgedUnit> {
    const answer = await this.#ask({ type: 'judge', task });
    return answer.type === 'judged' ? answer.unit : refuse(answer);
  }

  async stop(): Promise<void> {
    this.#worker.postMessage({ type: 'stop' } satisfies ToWorker);
    const patience = setTimeout(() => void this.#worker.terminate(), stopPatience_ms);
    await this.#gone;
    clearTimeout(patience);
  }

  #ask(message: ToWorker): Promise<Answer> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }

  #receive(message: FromWorker): void {
    if (message.type === 'progress') this.#onProgress(message.episodes, message.bytes);
    else {
      this.#waiting?.resolve(message);
      this.#waiting = null;
    }
  }

  #lose(why: string): void {
    this.#lost ??= new HandLost(why);
    this.#waiting?.reject(this.#lost);
    this.#waiting = null;
  }
}

function refuse(answer: Answer): never {
  if (answer.type === 'failed') throw errorOf(answer.failure);
  throw new AssayError('internal', `a worker answered ${answer.type} to another question`);
}
