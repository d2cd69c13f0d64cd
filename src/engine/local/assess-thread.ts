import type { Worker } from 'node:worker_threads';
import { AssayError } from '#core';
import type { Recordings } from '../open-recordings.ts';
import type { ReportFilm } from '../steps/camera-films.ts';
import type { CompareTask, ComparisonResult } from '../steps/comparer.ts';
import type { ExportedSet, ExportPlan } from '../steps/export/export-request.ts';
import type { DatasetInfos } from '../steps/find-datasets.ts';
import type { Inspection } from '../steps/inspect.ts';
import { unpackVerdicts } from '../steps/judge/verdict.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task, WorkerStart } from '../steps/tasks.ts';
import { WorkerLost, WorkerThread } from '../workers/worker-thread.ts';
import type { WorkerLimits } from '../workers/worker-watch.ts';
import type { AssessWorker } from './dispatcher.ts';
import type {
  AssessAnswer,
  AssessEvent,
  AssessRequest,
  CheckExportTask,
  ExportTask,
  FilmsTask,
  InspectTask,
  LookTask,
} from './messages.ts';

/** Callbacks and limits of an assessment thread. */
export interface ThreadHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
  /** Called with the total size of the files, once they are listed. */
  readonly onListed?: (bytes: number) => void;
  /** Called before each dataset is opened. */
  readonly onStep?: (step: string) => void;
  readonly onWarning?: (text: string) => void;
  readonly limits?: WorkerLimits;
}

/** Source of worker threads; takes back threads that were reset. */
export interface ThreadSource {
  take(): Worker;
  release(worker: Worker): Promise<void>;
}

/**
 * A worker thread of an assessment, with a typed method per request. `AssessHandler` in assess-handler.ts answers on the thread's
 * side.
 */
export class AssessThread implements AssessWorker {
  readonly #threads: ThreadSource;
  readonly #hooks: ThreadHooks;
  readonly #thread: WorkerThread<AssessRequest, AssessAnswer, AssessEvent, WorkerStart>;

  #stopped: Promise<void> | null = null;

  constructor(threads: ThreadSource, hooks: ThreadHooks) {
    this.#threads = threads;
    this.#hooks = hooks;
    this.#thread = new WorkerThread(threads.take(), hooks.limits);
  }

  /** Finds and opens datasets; they stay open in the thread for `start`. */
  async look(task: LookTask): Promise<DatasetInfos> {
    return (await this.#request({ type: 'look', task }, 'looked', true)).seen;
  }

  /** Describes datasets; closes them afterwards. */
  async inspect(task: InspectTask): Promise<Inspection> {
    return (await this.#request({ type: 'inspect', task }, 'inspected', true)).inspection;
  }

  /** Checks whether an export can be made; see `checkExport`. */
  async checkExport(task: CheckExportTask): Promise<void> {
    await this.#request({ type: 'check-export', task }, 'export-checked', true);
  }

  /** Plans an export; see `planExport`. */
  async planExport(task: ExportTask): Promise<ExportPlan | null> {
    return (await this.#request({ type: 'plan-export', task }, 'export-planned', true)).plan;
  }

  /** Writes an export of some episodes. */
  async export(task: ExportTask): Promise<ExportedSet> {
    return (await this.#request({ type: 'export', task }, 'exported', true)).set;
  }

  /** Writes films of some episodes. */
  async films(task: FilmsTask): Promise<readonly ReportFilm[]> {
    return (await this.#request({ type: 'films', task }, 'filmed', true)).films;
  }

  /** Starts the worker with its options and datasets. */
  start(start: WorkerStart): void {
    this.#thread.notify(start);
  }

  async measure(task: Task): Promise<MeasuredUnit> {
    return (await this.#request({ type: 'measure', task }, 'measured', true)).unit;
  }

  async compare(task: CompareTask): Promise<ComparisonResult> {
    return (await this.#request({ type: 'compare', task }, 'compared')).result;
  }

  async judge(task: JudgeTask): Promise<JudgedUnit> {
    const { unit } = await this.#request({ type: 'judge', task }, 'judged');
    return { ...unit, verdicts: unpackVerdicts(unit.verdicts) };
  }

  /** Returns the thread to its source, or ends it if it is busy. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const worker = await this.#thread.release();
    if (worker !== null) await this.#threads.release(worker);
  }

  async #request<Type extends AssessAnswer['type']>(request: AssessRequest, type: Type, watched = false) {
    const answer = await this.#thread.do(request, { watched, onEvent: (event) => this.#onEvent(event) });
    if (answer.type === type) return answer as Extract<AssessAnswer, { type: Type }>;
    throw new AssayError('internal', `a worker returned ${answer.type} for ${request.type}`);
  }

  #onEvent(event: AssessEvent): void {
    if (event.type === 'progress') this.#hooks.onProgress(event.episodes, event.bytes);
    else if (event.type === 'listed') this.#hooks.onListed?.(event.bytes);
    else if (event.type === 'warning') this.#hooks.onWarning?.(event.text);
    else this.#hooks.onStep?.(event.step);
  }
}

/** Maximum number of lost threads per path, each on another dataset. */
const maxLostThreads = 8;

/** Datasets that were found, and the thread that has them open. */
export interface LookResult {
  readonly datasets: DatasetInfos;
  readonly worker: AssessThread;
}

/**
 * Finds datasets in a thread. A dataset that crashes its thread is left unopened, and another thread finds the
 * others. Throws as `findDatasets`, and `unfinished` if threads are lost before anything is opened.
 */
export async function lookInThread(
  path: Recordings,
  threads: ThreadSource,
  hooks: LookHooks,
  {
    signal,
    cache_folder,
  }: { readonly signal?: AbortSignal | undefined; readonly cache_folder?: string | undefined } = {},
): Promise<LookResult> {
  const cached = cache_folder === undefined ? {} : { cache_folder };
  const ask = async (worker: AssessThread, given_up: FailedSteps) =>
    worker.look({ path, given_up, ...cached });
  const { answer, worker } = await askThread(path, threads, hooks, ask, signal);
  return { datasets: answer, worker };
}

type LookHooks = Pick<ThreadHooks, 'onProgress' | 'onListed' | 'onWarning' | 'limits'>;
/** Steps that crashed their thread, with the reason. */
type FailedSteps = ReadonlyMap<string, string>;

/**
 * Sends a request to a thread, and after each crash to a new one without the step that crashed. Returns the answer
 * and its thread.
 */
export async function askThread<T>(
  path: Recordings,
  threads: ThreadSource,
  hooks: LookHooks,
  ask: (worker: AssessThread, given_up: FailedSteps) => Promise<T>,
  signal?: AbortSignal,
): Promise<{ readonly answer: T; readonly worker: AssessThread }> {
  const given_up = new Map<string, string>();
  for (;;) {
    let step: string | null = null;
    const onStep = (next: string) => {
      step = next;
    };
    const worker = new AssessThread(threads, { ...hooks, onStep });
    const onAbort = () => void worker.stop();
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      const answer = await ask(worker, given_up);
      // The request may have ended before the abort arrived.
      signal?.throwIfAborted();
      return { answer, worker };
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) await worker.stop();
      signal?.throwIfAborted();
      if (!(thrown instanceof WorkerLost)) throw thrown;
      if (step === null || given_up.has(step) || given_up.size >= maxLostThreads)
        throw lookFailed(path, thrown);
      given_up.set(step, thrown.message);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

function lookFailed(path: Recordings, thrown: WorkerLost): AssayError {
  const named = typeof path === 'string' ? { path } : {};
  return new AssayError('unfinished', `the thread that opens the recordings ${thrown.message}`, {
    ...named,
    advice: 'assess smaller parts to find the file that cannot be opened',
  });
}
