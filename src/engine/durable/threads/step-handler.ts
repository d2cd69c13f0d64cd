import { join } from 'node:path';
import { AssayError, parseJson } from '#core';
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
import { packLines } from '../../packs/pack-lines.ts';
import { withPatience } from '../../patience.ts';
import { LaneResources } from '../../steps/annotate/lane-resources.ts';
import { compare } from '../../steps/compare/compare-packs.ts';
import type { KeptEpisode } from '../../steps/judge/episode-judge.ts';
import { ReceiptPacks } from '../../steps/judge/receipt-packs.ts';
import type { Found } from '../../steps/look/datasets.ts';
import { look } from '../../steps/look/look-source.ts';
import { measure } from '../../steps/measure/measure-packs.ts';
import type {
  AnnotateRequest,
  CertifyRequest,
  ExportRequest,
  FilmRequest,
  LookRequest,
  Part,
  RunBrief,
  StepAnswer,
  StepEvent,
  StepRequest,
  ThreadStart,
  Took,
} from '../../steps/messages.ts';
import { OpenRun } from '../../steps/open-run.ts';
import { report } from '../../steps/report/draw-report.ts';
import type { StepContext } from '../../steps/step-context.ts';
import type { JudgeUnit } from '../../steps/units.ts';
import { failureOf } from '../../workers/failure.ts';
import type { RequestHandler } from '../../workers/serve-requests.ts';

const progressPause_ms = 200;

/** Does requests inside a thread, keeping open what the next request of the same run needs. */
export class StepHandler implements RequestHandler<StepRequest, StepAnswer, Took> {
  readonly #start: ThreadStart;
  readonly #say: (event: StepEvent) => void;
  readonly #blobs: Promise<Blobs>;
  /** Of the request under way. */
  #outbox: Outbox | null = null;
  #openRun: OpenRun | null = null;
  #notes: { readonly of: string; readonly reader: NotesReader } | null = null;
  /** Datasets as the last look left them, for the run it was for. */
  #looked: { readonly key: string; readonly found: readonly Found[] } | null = null;
  #progress = { episodes: 0, bytes: 0, sent_ms: 0 };
  #files = 0;
  /** What lanes of this thread work with. */
  readonly #lanes: LaneResources;

  constructor(start: ThreadStart, say: (event: StepEvent) => void) {
    this.#start = start;
    this.#say = say;
    this.#blobs = openBlobStore(start.blobs);
    this.#lanes = new LaneResources(start.model_socket);
    this.#lanes.onAlive = () => this.#count(0, 0);
  }

  async do(request: StepRequest, signal: AbortSignal): Promise<StepAnswer> {
    try {
      const answer = await this.#answer(request, signal);
      this.#sendProgress();
      return answer;
    } finally {
      this.#outbox = null;
      // Its pipeline was told to stop and does not start again.
      if (signal.aborted) await this.#closeRun();
    }
  }

  note({ wanted }: Took): void {
    this.#outbox?.answer(wanted);
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
    const openRun = await this.#openRunOf(request.run);
    switch (request.type) {
      case 'measure':
        await measure(parseJson(request.units), openRun, context);
        return null;
      case 'compare':
        return compare(parseJson(request.packs), request.comparisons, openRun, context);
      case 'judge':
        await judge(parseJson(request.units), openRun, this.#notesOf(request.notes, context), context);
        return null;
      case 'report':
        await report(request, openRun, context);
        return null;
    }
  }

  async #look({ recordings, key }: LookRequest, context: StepContext): Promise<StepAnswer> {
    await this.#closeRun();
    const { answer, found } = await look(recordings, context);
    if (key === null) await Promise.all(found.map(({ dataset }) => dataset.close().catch(() => {})));
    else this.#looked = { key, found };
    return answer;
  }

  async #annotate(request: AnnotateRequest, context: StepContext): Promise<StepAnswer> {
    const { annotate } = await import('../../steps/annotate/annotate.ts');
    await annotate(request, context);
    return null;
  }

  async #film(request: FilmRequest, context: StepContext): Promise<StepAnswer> {
    const { film } = await import('../../steps/film/film.ts');
    return film(request, context);
  }

  async #export(request: ExportRequest, context: StepContext): Promise<StepAnswer> {
    await this.#closeRun();
    const { exportStored } = await import('../../steps/export/export-stored.ts');
    return exportStored(request, context);
  }

  async #certify(request: CertifyRequest, context: StepContext): Promise<StepAnswer> {
    const { storeEvidence } = await import('../../steps/certify/store-evidence.ts');
    return storeEvidence(request, context);
  }

  async #openRunOf(run: RunBrief): Promise<OpenRun> {
    if (this.#openRun?.run.key === run.key) return this.#openRun;
    const looked = this.#looked?.key === run.key ? this.#looked.found : [];
    if (looked.length > 0) this.#looked = null;
    await this.#closeRun();
    const onProgress = (episodes: number, bytes: number) => this.#count(episodes, bytes);
    this.#openRun = new OpenRun(run, looked, { onProgress });
    return this.#openRun;
  }

  async #closeRun(): Promise<void> {
    const { found } = this.#looked ?? { found: [] };
    this.#looked = null;
    await Promise.all(found.map(({ dataset }) => dataset.close().catch(() => {})));
    await this.#openRun?.close();
    this.#openRun = null;
  }

  #notesOf(notes: readonly NotesBlob[], { blobs }: StepContext): NotesReader {
    const of = notes.map(({ key }) => key).join();
    if (this.#notes?.of !== of) this.#notes = { of, reader: new NotesReader(blobs, notes) };
    return this.#notes.reader;
  }

  #context(blobs: Blobs, signal: AbortSignal): StepContext {
    const outbox = new Outbox((part) => this.#say({ type: 'part', part }));
    this.#outbox = outbox;
    const onWait = (failure: AssayError | null) =>
      this.#say({ type: 'waiting', failure: failure === null ? null : failureOf(failure) });
    const { patience_ms, scratch } = this.#start;
    return {
      blobs,
      signal,
      lanes: this.#lanes,
      scratchFile: () => join(scratch, String(this.#files++)),
      begin: (place) => this.#say({ type: 'begin', place }),
      progress: (episodes, bytes) => this.#count(episodes, bytes),
      patiently: (work) => withPatience(work, { patience_ms, signal, onWait }),
      hand: (part, stored = Promise.resolve()) => outbox.hand(part, stored),
      settled: () => outbox.settled(),
    };
  }

  #count(episodes: number, bytes: number): void {
    this.#progress.episodes += episodes;
    this.#progress.bytes += bytes;
    if (performance.now() - this.#progress.sent_ms >= progressPause_ms) this.#sendProgress();
  }

  #sendProgress(): void {
    const { episodes, bytes } = this.#progress;
    this.#progress = { episodes: 0, bytes: 0, sent_ms: performance.now() };
    this.#say({ type: 'progress', episodes, bytes });
  }
}

/** Parts under way at once: one being committed while the next is made. */
const mostUnderWay = 2;

/** Hands parts to the main thread, each once it is stored, in request, and hears what became of them. */
class Outbox {
  readonly #send: (part: Part) => void;
  /** Parts that are not answered yet. */
  readonly #underWay: Promise<void>[] = [];
  readonly #unanswered: PromiseWithResolvers<void>[] = [];

  constructor(send: (part: Part) => void) {
    this.#send = send;
  }

  async hand(part: Part, stored: Promise<void>): Promise<void> {
    const before = this.#underWay.at(-1) ?? Promise.resolve();
    const taken = Promise.all([stored, before]).then(() => {
      const answered = Promise.withResolvers<void>();
      this.#unanswered.push(answered);
      this.#send(part);
      return answered.promise;
    });
    // Thrown where it is waited for.
    taken.catch(() => {});
    this.#underWay.push(taken);
    if (this.#underWay.length >= mostUnderWay) await this.#underWay.shift();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
  }

  /** The answer to the part that was sent first of those unanswered. */
  answer(wanted: boolean): void {
    const answered = this.#unanswered.shift();
    if (wanted) answered?.resolve();
    else answered?.reject(new AssayError('cancelled', 'the work was taken away'));
  }
}

/** Judges measured units under the run's settings, seals receipts, and hands them over in packs, a unit in several. */
async function judge(
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
      await judgeUnit(unit, settings, await context.patiently(() => notes.of(unit.place)), packs, context);
    }
    await packs.handOver();
    await context.settled();
  } catch (thrown) {
    packs.discard();
    throw thrown;
  }
}

async function judgeUnit(
  unit: JudgeUnit,
  settings: ResolvedSettings,
  notes: UnitNotes,
  packs: ReceiptPacks,
  context: StepContext,
): Promise<void> {
  packs.begin(unit);
  for await (const line of packLines(context.blobs, unit.measured_blob, unit.pack_entry.kept)) {
    context.signal.throwIfAborted();
    const { record, measured, embedded }: KeptEpisode = JSON.parse(line);
    const judgement = judgeMeasurements(measured, notes[record.episode.id] ?? {}, record.findings, settings);
    packs.add(sealReceipt(receiptBody(record as EpisodeRecord, judgement, settings)), embedded);
    context.progress(1, 0);
    if (packs.full) await packs.handOver();
  }
  packs.end();
}
