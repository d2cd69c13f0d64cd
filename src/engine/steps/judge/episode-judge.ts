import type { Episode } from '#core/episode';
import {
  type ComparedNotes,
  type EpisodeBrief,
  type EpisodeRecord,
  judgeMeasurements,
  type Measurements,
  type ResolvedSettings,
  receiptBody,
  sealReceipt,
} from '#quality/readiness';
import { type EpisodeSketch, renderEpisode } from '#quality/report';
import { Spool } from '../../spool/spool.ts';
import type { EmbeddedEpisode } from '../embed/embed-episode.ts';
import type { DatasetRef, JudgedUnit, JudgeTask, StepOptions } from '../tasks.ts';
import { ReceiptFiles } from './receipt-files.ts';
import { type EpisodeVerdict, verdictOf } from './verdict.ts';

/** What is kept of an episode between measuring and judging. */
export interface KeptEpisode {
  /** Whole where a receipt is made of it. */
  readonly record: EpisodeRecord | EpisodeBrief;
  readonly measured: Measurements;
  readonly sketch: EpisodeSketch | null;
  /** What search finds it by, where it is kept here. */
  readonly embedded?: EmbeddedEpisode;
  /** Beside its numbers, all that an episode without a sketch is drawn from later. */
  readonly undrawn?: Pick<Episode, 'duration_s' | 'events'>;
}

/** Judges kept episodes, seals and writes their receipts. */
export class EpisodeJudge {
  readonly #options: StepOptions;
  readonly #settings: ResolvedSettings;
  readonly #files = new ReceiptFiles();
  readonly #receipts: Spool;
  readonly #rendered: Spool;
  #pictures = 0;

  constructor(options: StepOptions, settings: ResolvedSettings, openSpool: (which: 1 | 2) => number) {
    this.#options = options;
    this.#settings = settings;
    this.#receipts = new Spool(() => openSpool(1), options.spool_bytes);
    this.#rendered = new Spool(() => openSpool(2), options.spool_bytes);
  }

  unit(
    { place, notes, provisional = false }: JudgeTask,
    episodes: Iterable<KeptEpisode>,
    dataset: DatasetRef,
    onProgress: (episodes: number) => void,
  ): JudgedUnit {
    const verdicts: EpisodeVerdict[] = [];
    this.#pictures = 0;
    for (const kept of episodes) {
      const own = notes[kept.record.episode.id] ?? noNotes;
      verdicts.push(this.#episode(kept, dataset, own, provisional));
      onProgress(1);
    }
    return {
      place,
      verdicts,
      receipts: this.#options.receipts ? this.#receipts.cut() : null,
      rendered: this.#options.render === true ? this.#rendered.cut() : null,
      pictures: this.#pictures,
    };
  }

  #episode(
    { record, measured, sketch }: KeptEpisode,
    dataset: DatasetRef,
    notes: ComparedNotes,
    provisional: boolean,
  ): EpisodeVerdict {
    const judgement = judgeMeasurements(measured, notes, record.findings, this.#settings);
    if (!isWhole(record)) return verdictOf(record, judgement, dataset.index, null);
    const { receipts, render } = this.#options;
    const { receipt, json } = sealReceipt(receiptBody(record, judgement, this.#settings));
    const { index, id } = record.episode;
    const file = provisional ? null : this.#files.write(dataset, index, id, json);
    if (receipts && !provisional) this.#receipts.append(json);
    if (render === true) {
      const from = file === null ? null : `${this.#options.receipts_from}${file}`;
      const rendered = renderEpisode(receipt, sketch, from);
      this.#pictures += (rendered.pictures?.length ?? 0) + (rendered.poster?.length ?? 0);
      this.#rendered.append(JSON.stringify(rendered));
    }
    return verdictOf(record, judgement, dataset.index, file);
  }
}

const noNotes: ComparedNotes = {};

const isWhole = (record: EpisodeRecord | EpisodeBrief): record is EpisodeRecord => 'sources' in record;
