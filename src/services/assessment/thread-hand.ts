import type { Worker } from 'node:worker_threads';
import { AssayError } from '#kernel';
import type { CompareTask, ComparisonResult } from './conclude.ts';
import type { SeenDatasets } from './datasets.ts';
import { errorOf } from './failure.ts';
import { type Hand, HandLost } from './hand.ts';
import { endsWithin, letGo_ms } from './letting-go.ts';
import type {
  FromWorker,
  JudgedUnit,
  JudgeTask,
  LookTask,
  MeasuredUnit,
  Task,
  ToWorker,
  WorkerStart,
} from './messages.ts';
import { ThreadWatch, usualLimits, type WatchLimits } from './thread-watch.ts';
import { unpackVerdicts } from './verdict-pack.ts';

/** A thread inside a library's own code does not hear that it is ended. */
const endPatience_ms = 1000;

type Answer = Extract<FromWorker, { type: 'looked' | 'measured' | 'compared' | 'judged' | 'failed' }>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export interface ThreadHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
  /** Hears how many bytes lie there, while looking. */
  readonly onListed?: (bytes: number) => void;
  /** Hears which dataset is about to be opened, while looking. */
  readonly onStep?: (step: string) => void;
  readonly limits?: WatchLimits;
}

/** A worker thread that does one thing at a time, and is ended where reading does not come to an end. */
export class ThreadHand implements Hand {
  readonly #hooks: ThreadHooks;
  readonly #worker: Worker;
  readonly #watch: ThreadWatch;
  readonly #gone: Promise<void>;
  #waiting: Waiting | null = null;
  #lost: HandLost | null = null;

  constructor(worker: Worker, hooks: ThreadHooks) {
    this.#hooks = hooks;
    this.#worker = worker;
    this.#watch = new ThreadWatch(worker, hooks.limits ?? usualLimits, ({ why, again }) => {
      this.#lose(why, again);
      void this.stop();
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#lose(`failed: ${error.message}`));
    if (worker.threadId < 0) this.#lose('ended before it began');
    this.#gone = new Promise((resolve) => {
      if (worker.threadId < 0) resolve();
      this.#worker.once('exit', (code) => {
        this.#lose(`ended with code ${code}`);
        resolve();
      });
    });
  }

  /** Finds and opens datasets; they stay open in the thread, for `start`. */
  async look(task: LookTask): Promise<SeenDatasets> {
    const answer = await this.#watched({ type: 'look', task });
    return answer.type === 'looked' ? answer.seen : refuse(answer);
  }

  /** Comes before anything else but a look. */
  start(start: WorkerStart): void {
    this.#worker.postMessage({ type: 'start', start } satisfies ToWorker);
  }

  async measure(task: Task): Promise<MeasuredUnit> {
    const answer = await this.#watched({ type: 'measure', task });
    return answer.type === 'measured' ? answer.unit : refuse(answer);
  }

  async compare(task: CompareTask): Promise<ComparisonResult> {
    const answer = await this.#ask({ type: 'compare', task });
    return answer.type === 'compared' ? answer.result : refuse(answer);
  }

  async judge(task: JudgeTask): Promise<JudgedUnit> {
    const answer = await this.#ask({ type: 'judge', task });
    if (answer.type !== 'judged') return refuse(answer);
    return { ...answer.unit, verdicts: unpackVerdicts(answer.unit.verdicts) };
  }

  /** Lets go of what it can, a query of the Parquet engine above all, and is ended where it does not. */
  async stop(): Promise<void> {
    this.#worker.postMessage({ type: 'stop' } satisfies ToWorker);
    if (await endsWithin(this.#gone, letGo_ms)) return;
    void this.#worker.terminate();
    await endsWithin(this.#gone, endPatience_ms);
  }

  /** Reading has limits; the rest computes on what was measured, as long as that takes. */
  async #watched(message: ToWorker): Promise<Answer> {
    this.#watch.begin();
    try {
      return await this.#ask(message);
    } finally {
      this.#watch.end();
    }
  }

  #ask(message: ToWorker): Promise<Answer> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }

  #receive(message: FromWorker): void {
    if (message.type === 'progress') {
      this.#watch.moved();
      this.#hooks.onProgress(message.episodes, message.bytes);
    } else if (message.type === 'listed') {
      this.#watch.moved();
      this.#hooks.onListed?.(message.bytes);
    } else if (message.type === 'step') {
      this.#watch.moved();
      this.#hooks.onStep?.(message.step);
    } else {
      this.#waiting?.resolve(message);
      this.#waiting = null;
    }
  }

  #lose(why: string, again = true): void {
    this.#lost ??= new HandLost(why, again);
    this.#waiting?.reject(this.#lost);
    this.#waiting = null;
  }
}

function refuse(answer: Answer): never {
  if (answer.type === 'failed') throw errorOf(answer.failure);
  throw new AssayError('internal', `a worker answered ${answer.type} to another question`);
}
