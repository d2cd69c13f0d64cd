import type { Worker } from 'node:worker_threads';
import { AssayError } from '#core';
import type { CompareTask, ComparisonResult } from '../steps/compare/conclude.ts';
import type { ExportedSet, ExportPlan } from '../steps/export/export-task.ts';
import type { ReportFilm } from '../steps/films/write-films.ts';
import type { Inspection } from '../steps/inspect/inspect.ts';
import { unpackVerdicts } from '../steps/judge/verdict-pack.ts';
import type { SeenDatasets } from '../steps/look/datasets.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task, WorkerStart } from '../steps/tasks.ts';
import { WorkerThread } from '../workers/worker-thread.ts';
import type { WorkerLimits } from '../workers/worker-watch.ts';
import type { AssessWorker } from './assess-worker.ts';
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

export interface ThreadHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
  /** Hears how many bytes lie there, while looking. */
  readonly onListed?: (bytes: number) => void;
  /** Hears which dataset is about to be opened, while looking. */
  readonly onStep?: (step: string) => void;
  readonly onWarning?: (text: string) => void;
  readonly limits?: WorkerLimits;
}

/** Supplies threads, and takes back those that were reset. */
export interface ThreadSource {
  take(): Worker;
  giveBack(worker: Worker): Promise<void>;
}

/** A worker thread of an assessment. */
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

  /** Finds and opens datasets; they stay open in the thread, for `start`. */
  async look(task: LookTask): Promise<SeenDatasets> {
    return (await this.#ask({ type: 'look', task }, 'looked', true)).seen;
  }

  /** Says what datasets hold; nothing stays open. */
  async inspect(task: InspectTask): Promise<Inspection> {
    return (await this.#ask({ type: 'inspect', task }, 'inspected', true)).inspection;
  }

  /** Throws where an export cannot be made; see `checkExport`. */
  async checkExport(task: CheckExportTask): Promise<void> {
    await this.#ask({ type: 'check-export', task }, 'export-checked', true);
  }

  /** What `export` would do; see `planExport`. */
  async planExport(task: ExportTask): Promise<ExportPlan | null> {
    return (await this.#ask({ type: 'plan-export', task }, 'export-planned', true)).plan;
  }

  /** Writes a set of some of the episodes. */
  async export(task: ExportTask): Promise<ExportedSet> {
    return (await this.#ask({ type: 'export', task }, 'exported', true)).set;
  }

  /** Writes films of some of the episodes. */
  async films(task: FilmsTask): Promise<readonly ReportFilm[]> {
    return (await this.#ask({ type: 'films', task }, 'filmed', true)).films;
  }

  start(start: WorkerStart): void {
    this.#thread.tell(start);
  }

  async measure(task: Task): Promise<MeasuredUnit> {
    return (await this.#ask({ type: 'measure', task }, 'measured', true)).unit;
  }

  async compare(task: CompareTask): Promise<ComparisonResult> {
    return (await this.#ask({ type: 'compare', task }, 'compared')).result;
  }

  async judge(task: JudgeTask): Promise<JudgedUnit> {
    const { unit } = await this.#ask({ type: 'judge', task }, 'judged');
    return { ...unit, verdicts: unpackVerdicts(unit.verdicts) };
  }

  /** Gives the thread back; ends it if it is busy. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const worker = await this.#thread.release();
    if (worker !== null) await this.#threads.giveBack(worker);
  }

  async #ask<Type extends AssessAnswer['type']>(request: AssessRequest, type: Type, watched = false) {
    const answer = await this.#thread.do(request, { watched, onEvent: (event) => this.#hear(event) });
    if (answer.type === type) return answer as Extract<AssessAnswer, { type: Type }>;
    throw new AssayError('internal', `a worker answered ${answer.type} to ${request.type}`);
  }

  #hear(event: AssessEvent): void {
    if (event.type === 'progress') this.#hooks.onProgress(event.episodes, event.bytes);
    else if (event.type === 'listed') this.#hooks.onListed?.(event.bytes);
    else if (event.type === 'warning') this.#hooks.onWarning?.(event.text);
    else this.#hooks.onStep?.(event.step);
  }
}
