import { join } from 'node:path';
import { openBlobStore } from '#blobs';
import type { AssayError } from '#kernel';
import type { Blobs, NotesBlob } from '#store';
import { failureOf, type RequestHandler } from '#work';
import type { Found } from '../../assessment/datasets.ts';
import { compare } from './compare.ts';
import { judge } from './judge.ts';
import { look } from './look.ts';
import { measure } from './measure.ts';
import { NotesReader } from './notes.ts';
import { OpenRun } from './open-run.ts';
import type { OrderContext } from './order-context.ts';
import { Outbox } from './outbox.ts';
import { withPatience } from './patience.ts';
import { type ReportedDataset, report } from './report.ts';
import type { Answer, Order, OrderEvent, RunBrief, ThreadStart, Took } from './thread-messages.ts';

const progressPause_ms = 200;
const done: Answer = { type: 'done' };

/** Does orders inside a thread, keeping open what the next order of the same run needs. */
export class RunHandler implements RequestHandler<Order, Answer, Took> {
  readonly #start: ThreadStart;
  readonly #say: (event: OrderEvent) => void;
  readonly #blobs: Promise<Blobs>;
  /** Of the order under way. */
  #outbox: Outbox | null = null;
  #openRun: OpenRun | null = null;
  #notes: { readonly of: string; readonly reader: NotesReader } | null = null;
  /** Datasets as the last look left them, for the run it was for. */
  #looked: { readonly key: string; readonly found: readonly Found[] } | null = null;
  #progress = { episodes: 0, bytes: 0, sent_ms: 0 };
  #files = 0;

  constructor(start: ThreadStart, say: (event: OrderEvent) => void) {
    this.#start = start;
    this.#say = say;
    this.#blobs = openBlobStore(start.blobs);
  }

  async do(order: Order, signal: AbortSignal): Promise<Answer> {
    try {
      const answer = await this.#answer(order, signal);
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

  cancel(): void {
    this.#openRun?.abort();
  }

  async #answer(order: Order, signal: AbortSignal): Promise<Answer> {
    const context = this.#context(await this.#blobs, signal);
    if (order.type === 'look') return this.#look(order, context);
    if (order.type === 'annotate') return this.#annotate(order, context);
    const openRun = await this.#openRunOf(order.run);
    if (order.type === 'measure') await measure(JSON.parse(order.units), openRun, context);
    else if (order.type === 'compare')
      return compare(JSON.parse(order.packs), order.comparisons, openRun, context);
    else if (order.type === 'judge')
      await judge(JSON.parse(order.units), openRun, this.#notesOf(order.notes, context), context);
    else {
      const { title, prefix } = order;
      const summary = JSON.parse(order.summary);
      const findings: readonly ReportedDataset['findings'][] = JSON.parse(order.findings);
      const datasets = openRun.datasets.map(({ place, facts }, at) => ({
        place,
        facts,
        findings: findings[at],
      }));
      const { episodes_expected } = order.run;
      await report(JSON.parse(order.units), { title, prefix, summary, datasets, episodes_expected }, context);
    }
    return done;
  }

  async #look({ recordings, key }: Extract<Order, { type: 'look' }>, context: OrderContext): Promise<Answer> {
    await this.#closeRun();
    const { answer, found } = await look(recordings, context);
    if (key === null) await Promise.all(found.map(({ dataset }) => dataset.close().catch(() => {})));
    else this.#looked = { key, found };
    return answer;
  }

  async #annotate(order: Extract<Order, { type: 'annotate' }>, context: OrderContext): Promise<Answer> {
    const { annotate } = await import('./annotate.ts');
    await annotate(order, context);
    return done;
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

  #notesOf(notes: readonly NotesBlob[], { blobs }: OrderContext): NotesReader {
    const of = notes.map(({ key }) => key).join();
    if (this.#notes?.of !== of) this.#notes = { of, reader: new NotesReader(blobs, notes) };
    return this.#notes.reader;
  }

  #context(blobs: Blobs, signal: AbortSignal): OrderContext {
    const outbox = new Outbox((part) => this.#say({ type: 'part', part }));
    this.#outbox = outbox;
    const onWait = (failure: AssayError | null) =>
      this.#say({ type: 'waiting', failure: failure === null ? null : failureOf(failure) });
    const { patience_ms, scratch } = this.#start;
    return {
      blobs,
      signal,
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
