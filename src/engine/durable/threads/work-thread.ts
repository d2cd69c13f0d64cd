import { mkdirSync, rmSync } from 'node:fs';
import type {
  Part,
  StepAnswer,
  StepAnswers,
  StepEvent,
  StepRequest,
  ThreadStart,
  Took,
} from '../../steps/messages.ts';
import type { Failure } from '../../workers/failure.ts';
import { startThread } from '../../workers/start-thread.ts';
import { WorkerLost, WorkerThread } from '../../workers/worker-thread.ts';
import type { WorkerLimits } from '../../workers/worker-watch.ts';

export interface StepHooks {
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

const readsFromOutside: ReadonlySet<StepRequest['type']> = new Set([
  'look',
  'measure',
  'annotate',
  'film',
  'export',
]);

const usualProgram = new URL('./step-thread.ts', import.meta.url);

/** A worker thread of runs and jobs, with a folder of its own that is gone when it is. */
export class WorkThread {
  readonly gone: Promise<void>;
  readonly #thread: WorkerThread<StepRequest, StepAnswer, StepEvent, Took>;

  constructor(start: ThreadStart, { program = usualProgram, limits }: ThreadOptions = {}) {
    mkdirSync(start.scratch, { recursive: true });
    const worker = startThread(program, { data: start });
    this.#thread = new WorkerThread(worker, limits);
    this.gone = this.#thread.gone.then(() => rmSync(start.scratch, { recursive: true, force: true }));
  }

  /** It takes no request any more. */
  get lost(): boolean {
    return this.#thread.lost;
  }

  /** Throws what the work failed with, `ThreadLost` when the thread died, `cancelled` after `signal`. */
  async do<Request extends StepRequest>(
    request: Request,
    hooks: StepHooks,
  ): Promise<StepAnswers[Request['type']]> {
    let place: number | null = null;
    const onEvent = (event: StepEvent) => {
      if (event.type === 'begin') place = event.place;
      else if (event.type === 'progress') hooks.onProgress?.(event.episodes, event.bytes);
      else if (event.type === 'waiting') hooks.onWaiting?.(event.failure);
      else void this.#commit(event.part, hooks);
    };
    const signal = hooks.signal === undefined ? {} : { signal: hooks.signal };
    // The other requests read nothing that came from outside, and may compute long.
    const watched = readsFromOutside.has(request.type);
    try {
      const answer = await this.#thread.do(request, { onEvent, watched, ...signal });
      return answer as StepAnswers[Request['type']];
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) throw thrown;
      throw new ThreadLost(thrown.message, place, thrown.again);
    }
  }

  async end(): Promise<void> {
    await this.#thread.end();
    await this.gone;
  }

  async #commit(part: Part, { onPart }: StepHooks): Promise<void> {
    try {
      this.#thread.tell({ wanted: (await onPart?.(part)) ?? true });
    } catch (thrown) {
      this.#thread.fail(thrown);
    }
  }
}
