import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { AssayError, parseJson } from '#core';
import { applySeverities, type LoaderSeverities, loaderSeverities } from '#formats/rules';
import {
  type EpisodeRecord,
  judgeMeasurements,
  type ResolvedSettings,
  receiptBody,
  resolveSettings,
  sealReceipt,
} from '#quality/readiness';
import type { Blobs, NotesBlob } from '#store';
import { openBlobStore } from '#store/blobs';
import { NotesReader, type UnitNotes } from '../../packs/notes.ts';
import { readPackLines } from '../../packs/pack-file.ts';
import { retryWhileUnavailable } from '../../retry.ts';
import { LaneResources } from '../../steps/annotate/lane-resources.ts';
import { comparePacks } from '../../steps/compare-packs.ts';
import { lookAtSource, type OpenedDataset } from '../../steps/find-datasets.ts';
import type { MeasuredEpisode } from '../../steps/judge/episode-judge.ts';
import { ReceiptPacks } from '../../steps/judge/receipt-packs.ts';
import { measureIntoPacks } from '../../steps/measure/measure-packs.ts';
import type {
  AnnotateRequest,
  CertifyRequest,
  ExportRequest,
  FilmRequest,
  LookRequest,
  Part,
  PartReply,
  RunBrief,
  StepAnswer,
  StepContext,
  StepEvent,
  StepRequest,
  ThreadStart,
} from '../../steps/messages.ts';
import { OpenRun } from '../../steps/open-run.ts';
import { drawReport } from '../../steps/report/draw-report.ts';
import type { JudgeUnit } from '../../steps/units.ts';
import { toFailure } from '../../workers/messages.ts';
import { type RequestHandler, serveRequests } from '../../workers/serve-requests.ts';

const progressInterval_ms = 200;

/**
 * Entry point of a worker thread for runs, jobs and exports: answers the requests that `WorkThread` sends, each by the method of
 * its type (`look` by `#look`), and keeps data open for the next request of the same run.
 */
class StepHandler implements RequestHandler<StepRequest, StepAnswer, PartReply> {
  readonly #start: ThreadStart;
  readonly #emit: (event: StepEvent) => void;
  readonly #blobs: Promise<Blobs>;
  /** Parts of the current request. */
  #parts: PartQueue | null = null;
  #openRun: OpenRun | null = null;
  #notes: { readonly of: string; readonly reader: NotesReader } | null = null;
  /** Datasets that the last look left open for its run. */
  #lastLook: { readonly key: string; readonly found: readonly OpenedDataset[] } | null = null;
  #progress = { episodes: 0, bytes: 0, sent_ms: 0 };
  #files = 0;
  /** Resources of this thread's lanes. */
  readonly #lanes: LaneResources;

  constructor(start: ThreadStart, say: (event: StepEvent) => void) {
    this.#start = start;
    this.#emit = say;
    this.#blobs = openBlobStore(start.blobs);
    this.#lanes = new LaneResources(start.model_socket);
    this.#lanes.onAlive = () => this.#addProgress(0, 0);
  }

  async do(request: StepRequest, signal: AbortSignal): Promise<StepAnswer> {
    try {
      const answer = await this.#answer(request, signal);
      this.#sendProgress();
      return answer;
    } finally {
      this.#parts = null;
      // Its pipeline was aborted and cannot be restarted.
      if (signal.aborted) await this.#closeRun();
    }
  }

  note({ wanted }: PartReply): void {
    this.#parts?.acknowledge(wanted);
  }

  async close(): Promise<void> {
    await this.#lanes.close();
  }

  cancel(): void {
    this.#openRun?.abort();
  }

  async #answer(request: StepRequest, signal: AbortSignal): Promise<StepAnswer> {
    const context = this.#context(await this.#blobs, signal);
    if (request.type === 'look') return this.#look(request, context);
    if (request.type === 'annotate') return this.#annotate(request, context);
    if (request.type === 'film') return this.#film(request, context);
    if (request.type === 'export') return this.#export(request, context);
    if (request.type === 'certify') return this.#certify(request, context);
    const openRun = await this.#getRun(request.run);
    switch (request.type) {
      case 'measure':
        await measureIntoPacks(parseJson(request.units), openRun, context);
        return null;
      case 'compare':
        return comparePacks(parseJson(request.packs), request.comparisons, openRun, context);
      case 'judge':
        await judgeUnits(parseJson(request.units), openRun, this.#getNotes(request.notes, context), context);
        return null;
      case 'report':
        await drawReport(request, openRun, context);
        return null;
    }
  }

  async #look({ recordings, key }: LookRequest, context: StepContext): Promise<StepAnswer> {
    await this.#closeRun();
    const { answer, found } = await lookAtSource(recordings, context);
    if (key === null) await Promise.all(found.map(({ dataset }) => dataset.close().catch(() => {})));
    else this.#lastLook = { key, found };
    return answer;
  }

  async #annotate(request: AnnotateRequest, context: StepContext): Promise<StepAnswer> {
    const { annotate } = await import('../../steps/annotate/annotate.ts');
    await annotate(request, context);
    return null;
  }

  async #film(request: FilmRequest, context: StepContext): Promise<StepAnswer> {
    const { drawOverlayFilm } = await import('../../steps/overlay-film.ts');
    return drawOverlayFilm(request, context);
  }

  async #export(request: ExportRequest, context: StepContext): Promise<StepAnswer> {
    await this.#closeRun();
    const { exportStored } = await import('../../steps/export/export-stored.ts');
    return exportStored(request, context);
  }

  async #certify(request: CertifyRequest, context: StepContext): Promise<StepAnswer> {
    const { storeEvidence } = await import('../../steps/store-evidence.ts');
    return storeEvidence(request, context);
  }

  async #getRun(run: RunBrief): Promise<OpenRun> {
    if (this.#openRun?.run.key === run.key) return this.#openRun;
    const found = this.#lastLook?.key === run.key ? this.#lastLook.found : [];
    if (found.length > 0) this.#lastLook = null;
    await this.#closeRun();
    const onProgress = (episodes: number, bytes: number) => this.#addProgress(episodes, bytes);
    this.#openRun = new OpenRun(run, found, { onProgress });
    return this.#openRun;
  }

  async #closeRun(): Promise<void> {
    const { found } = this.#lastLook ?? { found: [] };
    this.#lastLook = null;
    await Promise.all(found.map(({ dataset }) => dataset.close().catch(() => {})));
    await this.#openRun?.close();
    this.#openRun = null;
  }

  #getNotes(notes: readonly NotesBlob[], { blobs }: StepContext): NotesReader {
    const of = notes.map(({ key }) => key).join();
    if (this.#notes?.of !== of) this.#notes = { of, reader: new NotesReader(blobs, notes) };
    return this.#notes.reader;
  }

  #context(blobs: Blobs, signal: AbortSignal): StepContext {
    const outbox = new PartQueue((part) => this.#emit({ type: 'part', part }));
    this.#parts = outbox;
    const onWait = (failure: AssayError | null) =>
      this.#emit({ type: 'waiting', failure: failure === null ? null : toFailure(failure) });
    const { patience_ms, scratch } = this.#start;
    return {
      blobs,
      signal,
      lanes: this.#lanes,
      scratchFile: () => join(scratch, String(this.#files++)),
      begin: (place) => this.#emit({ type: 'begin', place }),
      progress: (episodes, bytes) => this.#addProgress(episodes, bytes),
      retry: (work) => retryWhileUnavailable(work, { patience_ms, signal, onWait }),
      submit: (part, stored = Promise.resolve()) => outbox.submit(part, stored),
      flush: () => outbox.flush(),
    };
  }

  #addProgress(episodes: number, bytes: number): void {
    this.#progress.episodes += episodes;
    this.#progress.bytes += bytes;
    if (performance.now() - this.#progress.sent_ms >= progressInterval_ms) this.#sendProgress();
  }

  #sendProgress(): void {
    const { episodes, bytes } = this.#progress;
    this.#progress = { episodes: 0, bytes: 0, sent_ms: performance.now() };
    this.#emit({ type: 'progress', episodes, bytes });
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

/**
 * Judges measured units under the run's settings, seals their receipts and submits them in packs; a unit may span
 * several.
 */
async function judgeUnits(
  units: readonly JudgeUnit[],
  openRun: OpenRun,
  notes: NotesReader,
  context: StepContext,
): Promise<void> {
  const settings = resolveSettings(openRun.run.settings);
  const packs = new ReceiptPacks(openRun, context);
  try {
    for (const unit of units) {
      context.signal.throwIfAborted();
      context.begin(unit.place);
      const own = {
        notes: await context.retry(() => notes.read(unit.place)),
        severities: loaderSeverities(openRun.datasets[unit.dataset].facts, settings.loaders),
      };
      await judgeUnit(unit, settings, own, packs, context);
    }
    await packs.flush();
    await context.flush();
  } catch (thrown) {
    packs.discard();
    throw thrown;
  }
}

async function judgeUnit(
  unit: JudgeUnit,
  settings: ResolvedSettings,
  { notes, severities }: { readonly notes: UnitNotes; readonly severities: LoaderSeverities | null },
  packs: ReceiptPacks,
  context: StepContext,
): Promise<void> {
  packs.begin(unit);
  for await (const line of readPackLines(context.blobs, unit.measured_blob, unit.pack_entry.kept)) {
    context.signal.throwIfAborted();
    const { record: read, measured, embedded }: MeasuredEpisode = JSON.parse(line);
    const record = { ...read, findings: applySeverities(read.findings, severities) };
    const own = notes[record.episode.id] ?? {};
    const judgement = judgeMeasurements(measured, own, record, settings, severities);
    packs.add(sealReceipt(receiptBody(record as EpisodeRecord, judgement, settings)), embedded);
    context.progress(1, 0);
    if (packs.full) await packs.flush();
  }
  packs.end();
}

serveRequests((say: (event: StepEvent) => void) => new StepHandler(workerData as ThreadStart, say));
