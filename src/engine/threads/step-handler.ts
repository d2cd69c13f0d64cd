import { workerData } from 'node:worker_threads';
import { AssayError } from '#core';
import { closeDuckDb } from '#formats';
import type { Recordings } from '../open-recordings.ts';
import { concludeComparison } from '../steps/comparer.ts';
import {
  findDatasets,
  type OpenedDataset,
  type OpenedDatasets,
  submitFound,
} from '../steps/find-datasets.ts';
import { packVerdicts } from '../steps/judge/verdict.ts';
import { measureUnits, ReturnedUnits } from '../steps/measure/measure-units.ts';
import type { LookAnswer, Part, RunBrief, ThreadContext } from '../steps/messages.ts';
import { OpenRun, StoredRun } from '../steps/open-run.ts';
import { type RequestHandler, serveRequests } from '../workers/serve-requests.ts';
import { answerAboutPath } from './path-steps.ts';
import type {
  FailedSteps,
  LookRequest,
  MeasureRequest,
  StepAnswer,
  StepEvent,
  StepNote,
  StepRequest,
  ThreadStart,
} from './requests.ts';
import type { StoreSteps } from './store-steps.ts';

const progressInterval_ms = 100;

/**
 * Entry point of the worker threads of commands and of the service: answers the requests that `StepThread` sends, and
 * keeps datasets and a run open for the next request.
 */
class StepHandler implements RequestHandler<StepRequest, StepAnswer, StepNote> {
  readonly #emit: (event: StepEvent) => void;
  /** Steps whose results go to the blob store; null in threads of commands on a path. */
  readonly #store: Promise<StoreSteps> | null;
  /** Parts of the current request. */
  #parts: PartQueue | null = null;
  #run: OpenRun | null = null;
  /** Datasets that are open for the run with this key; null: for the run of the next note `open`. */
  #found: { readonly key: string | null; readonly datasets: OpenedDataset[] } = { key: null, datasets: [] };
  #progress = { episodes: 0, bytes: 0, sent_ms: 0 };

  constructor(start: ThreadStart | null, emit: (event: StepEvent) => void) {
    this.#emit = emit;
    this.#store = start === null ? null : this.#openStore(start);
    this.#store?.catch(() => {});
  }

  async do(request: StepRequest, signal: AbortSignal): Promise<StepAnswer> {
    try {
      const answer = await this.#answer(request, this.#context(signal));
      this.#sendProgress();
      return answer;
    } finally {
      this.#parts = null;
      // Its pipeline was aborted and cannot be restarted.
      if (signal.aborted) await this.#closeRun();
    }
  }

  note(note: StepNote): void {
    if (note.type === 'committed') this.#parts?.acknowledge(note.wanted);
    else this.#run = new OpenRun(note.key, note.start, this.#takeFound(null), this.#runHooks());
  }

  cancel(): void {
    this.#run?.abort();
  }

  async close(): Promise<void> {
    await this.#closeRun();
    await this.#store?.then((store) => store.close());
    // DuckDB caches footers; the next owner must read the files as they are then.
    await closeDuckDb();
  }

  async #answer(request: StepRequest, context: ThreadContext): Promise<StepAnswer> {
    switch (request.type) {
      case 'look':
        return this.#look(request, context);
      case 'measure':
        return this.#measure(request, context);
      case 'conclude':
        await this.#run?.endDecoders();
        return concludeComparison(request.task);
      case 'judge-unit': {
        await this.#run!.endDecoders();
        const unit = this.#run!.pipeline(null).judge(request.task);
        return { ...unit, verdicts: packVerdicts(unit.verdicts) };
      }
      case 'compare':
      case 'judge':
      case 'report': {
        const run = await this.#getStoredRun(request.run);
        // All pictures are measured when comparing begins.
        await run.endDecoders();
        return (await this.#requireStore()).answerAboutRun(request, run, context);
      }
      case 'annotate':
      case 'film':
      case 'export':
      case 'certify':
        if (request.type === 'export') await this.#closeRun();
        return (await this.#requireStore()).answer(request, context);
      default:
        return answerAboutPath(request, {
          signal: context.signal,
          find: (recordings) => this.#find(recordings, context.signal, request.given_up),
          onStep: (step) => this.#beginStep(step, context.signal),
          onProgress: (episodes) => this.#sendProgress(episodes),
        });
    }
  }

  async #look({ recordings, key, given_up }: LookRequest, context: ThreadContext): Promise<LookAnswer> {
    await this.#closeRun();
    this.#found = { key, datasets: [] };
    let isOpen = false;
    try {
      const answer = await submitFound(await this.#find(recordings, context.signal, given_up), context);
      isOpen = key !== null;
      return answer;
    } finally {
      if (!isOpen) await this.#closeRun();
    }
  }

  async #find(
    recordings: Recordings,
    signal: AbortSignal,
    skipped: FailedSteps = new Map(),
  ): Promise<OpenedDatasets> {
    const onListed = (bytes: number) => this.#emit({ type: 'listed', bytes });
    const onStep = (step: string) => this.#beginStep(step, signal);
    const all = await findDatasets(recordings, { given_up: skipped, onListed, onStep });
    this.#found.datasets.push(...all.found);
    return all;
  }

  async #measure({ run, units }: MeasureRequest, context: ThreadContext): Promise<StepAnswer> {
    if ('datasets' in run) {
      const openRun = await this.#getStoredRun(run);
      const packs = (await this.#requireStore()).unitPacks(openRun, context);
      return measureUnits(units, openRun, packs, context);
    }
    if (this.#run?.key !== run.key) throw new AssayError('internal', `the run ${run.key} is not open`);
    return measureUnits(units, this.#run, new ReturnedUnits(), context);
  }

  async #getStoredRun(run: RunBrief): Promise<StoredRun> {
    if (this.#run instanceof StoredRun && this.#run.key === run.key) return this.#run;
    const found = this.#takeFound(run.key);
    await this.#closeRun();
    const opened = new StoredRun(run, found, this.#runHooks());
    this.#run = opened;
    return opened;
  }

  /** Returns the datasets that were left open for a run and takes them over; none if they are of another run. */
  #takeFound(key: string | null): readonly OpenedDataset[] {
    if (this.#found.key !== key) return [];
    const { datasets } = this.#found;
    this.#found = { key: null, datasets: [] };
    return datasets;
  }

  async #closeRun(): Promise<void> {
    const { datasets } = this.#found;
    const run = this.#run;
    this.#found = { key: null, datasets: [] };
    this.#run = null;
    await Promise.all(datasets.map(({ dataset }) => dataset.close().catch(() => {})));
    await run?.close();
  }

  #runHooks() {
    return {
      onProgress: (episodes: number, bytes: number) => this.#addProgress(episodes, bytes),
      onWarning: (text: string) => this.#emit({ type: 'warning', text }),
    };
  }

  async #openStore(start: ThreadStart): Promise<StoreSteps> {
    const { StoreSteps } = await import('./store-steps.ts');
    return StoreSteps.open(start, this.#emit, () => this.#addProgress(0, 0));
  }

  #requireStore(): Promise<StoreSteps> {
    if (this.#store === null) throw new AssayError('internal', 'this thread has no blob store');
    return this.#store;
  }

  #context(signal: AbortSignal): ThreadContext {
    const parts = new PartQueue((part) => this.#emit({ type: 'part', part }));
    this.#parts = parts;
    return {
      signal,
      begin: (place) => this.#emit({ type: 'begin', place }),
      progress: (episodes, bytes) => this.#addProgress(episodes, bytes),
      submit: (part, stored = Promise.resolve()) => parts.submit(part, stored),
      flush: () => parts.flush(),
    };
  }

  #beginStep(step: string, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#emit({ type: 'step', step });
  }

  #addProgress(episodes: number, bytes: number): void {
    this.#progress.episodes += episodes;
    this.#progress.bytes += bytes;
    if (performance.now() - this.#progress.sent_ms >= progressInterval_ms) this.#sendProgress();
  }

  #sendProgress(more = 0): void {
    const { episodes, bytes } = this.#progress;
    this.#progress = { episodes: 0, bytes: 0, sent_ms: performance.now() };
    this.#emit({ type: 'progress', episodes: episodes + more, bytes });
  }
}

/** Maximum number of pending parts: one is committed while the next is made. */
const maxPendingParts = 2;

/** Sends parts to the main thread in order, each once it is stored, and receives the replies. */
class PartQueue {
  readonly #send: (part: Part) => void;
  /** Parts without a reply. */
  readonly #underWay: Promise<void>[] = [];
  readonly #unanswered: PromiseWithResolvers<void>[] = [];

  constructor(send: (part: Part) => void) {
    this.#send = send;
  }

  async submit(part: Part, stored: Promise<void>): Promise<void> {
    const before = this.#underWay.at(-1) ?? Promise.resolve();
    const taken = Promise.all([stored, before]).then(() => {
      const answered = Promise.withResolvers<void>();
      this.#unanswered.push(answered);
      this.#send(part);
      return answered.promise;
    });
    // Rejections are handled where the promise is awaited.
    taken.catch(() => {});
    this.#underWay.push(taken);
    if (this.#underWay.length >= maxPendingParts) await this.#underWay.shift();
  }

  async flush(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
  }

  /** Handles the reply to the oldest pending part. */
  acknowledge(isCurrent: boolean): void {
    const answered = this.#unanswered.shift();
    if (isCurrent) answered?.resolve();
    else answered?.reject(new AssayError('cancelled', 'another process took over the work'));
  }
}

const start = workerData as ThreadStart | undefined;
serveRequests((say: (event: StepEvent) => void) => new StepHandler(start ?? null, say));
