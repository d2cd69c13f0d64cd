import { join } from 'node:path';
import { type AssayError, parseJson } from '#core';
import type { Blobs, NotesBlob } from '#store';
import { openBlobStore } from '#store/blobs';
import { retryWhileUnavailable } from '../retry.ts';
import { LaneResources } from '../steps/annotate/lane-resources.ts';
import { comparePacks } from '../steps/compare-packs.ts';
import { drawReport } from '../steps/draw-report.ts';
import { judgeUnits } from '../steps/judge/judge-packs.ts';
import { UnitPacks } from '../steps/measure/unit-packs.ts';
import type { StepContext, ThreadContext } from '../steps/messages.ts';
import type { StoredRun } from '../steps/open-run.ts';
import { NotesReader } from '../steps/packs/notes.ts';
import { toFailure } from '../workers/messages.ts';
import type { RunRequest, StepAnswer, StepEvent, StoredRequest, ThreadStart } from './requests.ts';

/** Steps whose results go to the blob store, and what they share between requests. */
export class StoreSteps {
  readonly #start: ThreadStart;
  readonly #blobs: Blobs;
  readonly #emit: (event: StepEvent) => void;
  readonly #lanes: LaneResources;
  #notes: { readonly of: string; readonly reader: NotesReader } | null = null;
  #files = 0;

  private constructor(start: ThreadStart, blobs: Blobs, emit: (event: StepEvent) => void) {
    this.#start = start;
    this.#blobs = blobs;
    this.#emit = emit;
    this.#lanes = new LaneResources(start.model_socket);
  }

  /** Opens the blob store. `onAlive` is called while a decoder of the lanes works. */
  static async open(
    start: ThreadStart,
    emit: (event: StepEvent) => void,
    onAlive: () => void,
  ): Promise<StoreSteps> {
    const steps = new StoreSteps(start, await openBlobStore(start.blobs), emit);
    steps.#lanes.onAlive = onAlive;
    return steps;
  }

  async close(): Promise<void> {
    await this.#lanes.close();
  }

  /** Returns the packs that take the measured units of a run. */
  unitPacks(run: StoredRun, context: ThreadContext): UnitPacks {
    return new UnitPacks(run, this.#context(context));
  }

  /** Answers a request about an open run. */
  async answerAboutRun(
    request: RunRequest,
    openRun: StoredRun,
    threadContext: ThreadContext,
  ): Promise<StepAnswer> {
    const context = this.#context(threadContext);
    switch (request.type) {
      case 'compare':
        return comparePacks(parseJson(request.packs), request.comparisons, openRun, context);
      case 'judge':
        await judgeUnits(parseJson(request.units), openRun, this.#getNotes(request.notes), context);
        return null;
      case 'report':
        await drawReport(request, openRun, context);
        return null;
    }
  }

  /** Answers a request about stored episodes. */
  async answer(request: StoredRequest, threadContext: ThreadContext): Promise<StepAnswer> {
    const context = this.#context(threadContext);
    switch (request.type) {
      case 'annotate': {
        const { annotate } = await import('../steps/annotate/annotate.ts');
        await annotate(request, context);
        return null;
      }
      case 'film': {
        const { drawOverlayFilm } = await import('../steps/overlay-film.ts');
        return drawOverlayFilm(request, context);
      }
      case 'export': {
        const { exportStored } = await import('../steps/export/export-stored.ts');
        return exportStored(request, context);
      }
      case 'certify': {
        const { storeEvidence } = await import('../steps/store-evidence.ts');
        return storeEvidence(request, context);
      }
    }
  }

  #getNotes(notes: readonly NotesBlob[]): NotesReader {
    const of = notes.map(({ key }) => key).join();
    if (this.#notes?.of !== of) this.#notes = { of, reader: new NotesReader(this.#blobs, notes) };
    return this.#notes.reader;
  }

  #context(context: ThreadContext): StepContext {
    const { patience_ms, scratch } = this.#start;
    const { signal } = context;
    const onWait = (failure: AssayError | null) =>
      this.#emit({ type: 'waiting', failure: failure === null ? null : toFailure(failure) });
    return {
      ...context,
      blobs: this.#blobs,
      lanes: this.#lanes,
      scratchFile: () => join(scratch, String(this.#files++)),
      retry: (work) => retryWhileUnavailable(work, { patience_ms, signal, onWait }),
    };
  }
}
