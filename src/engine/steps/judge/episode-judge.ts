import type { Episode } from '#core/episode';
import { applySeverities, type LoaderSeverities } from '#formats/rules';
import {
  type ComparisonNotes,
  type EpisodeBrief,
  type EpisodeRecord,
  judgeMeasurements,
  type Measurements,
  type ResolvedSettings,
  receiptBody,
  sealReceipt,
} from '#quality/readiness';
import { type EpisodeSketch, renderEpisode } from '#quality/report';
import { Spool } from '../../spool.ts';
import type { EmbeddedEpisode } from '../embed-episode.ts';
import type { DatasetRef, JudgedUnit, JudgeTask, StepOptions } from '../tasks.ts';
import { ReceiptFiles } from './receipt-files.ts';
import { type EpisodeVerdict, toVerdict } from './verdict.ts';

/** Data of an episode between measuring and judging; stored as JSON lines. */
export interface MeasuredEpisode {
  /** Complete record if a receipt is made. */
  readonly record: EpisodeRecord | EpisodeBrief;
  readonly measured: Measurements;
  readonly sketch: EpisodeSketch | null;
  /** Search description, if it is kept here. */
  readonly embedded?: EmbeddedEpisode;
  /** Data to draw an episode without sketch later, besides its numbers. */
  readonly undrawn?: Pick<Episode, 'duration_s' | 'events'>;
}

/** Returns the record of a measured episode, with the severities for the chosen loaders, and its judgement under settings. */
export function judgeEpisode(
  { record: read, measured }: MeasuredEpisode,
  notes: ComparisonNotes,
  settings: ResolvedSettings,
  severities: LoaderSeverities | null,
): JudgedRecord {
  const record = { ...read, findings: applySeverities(read.findings, severities) };
  return { record, judgement: judgeMeasurements(measured, notes, record, settings, severities) };
}

interface JudgedRecord {
  readonly record: MeasuredEpisode['record'];
  readonly judgement: ReturnType<typeof judgeMeasurements>;
}

/** Judges measured episodes, seals their receipts and writes them to files. */
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

  /**
   * Judges the episodes of a unit, writes their receipt files, and returns their verdicts, with receipts and drawings if
   * requested.
   */
  judgeUnit(
    { place, notes, provisional = false }: JudgeTask,
    episodes: Iterable<MeasuredEpisode>,
    dataset: DatasetRef,
    onProgress: (episodes: number) => void,
  ): JudgedUnit {
    const verdicts: EpisodeVerdict[] = [];
    this.#pictures = 0;
    for (const kept of episodes) {
      const own = notes[kept.record.episode.id] ?? noNotes;
      verdicts.push(this.#judgeEpisode(kept, dataset, own, provisional));
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

  #judgeEpisode(
    measured: MeasuredEpisode,
    dataset: DatasetRef,
    notes: ComparisonNotes,
    provisional: boolean,
  ): EpisodeVerdict {
    const { record, judgement } = judgeEpisode(measured, notes, this.#settings, dataset.severities ?? null);
    if (!isWhole(record)) return toVerdict(record, judgement, dataset.index, null);
    const { receipts, render } = this.#options;
    const { receipt, json } = sealReceipt(receiptBody(record, judgement, this.#settings));
    const { index, id } = record.episode;
    const file = provisional ? null : this.#files.write(dataset, index, id, json);
    if (receipts && !provisional) this.#receipts.append(json);
    if (render === true) {
      const from = file === null ? null : `${this.#options.receipts_from}${file}`;
      const rendered = renderEpisode(receipt, measured.sketch, from);
      this.#pictures += (rendered.pictures?.length ?? 0) + (rendered.poster?.length ?? 0);
      this.#rendered.append(JSON.stringify(rendered));
    }
    return toVerdict(record, judgement, dataset.index, file);
  }
}

const noNotes: ComparisonNotes = {};

const isWhole = (record: EpisodeRecord | EpisodeBrief): record is EpisodeRecord => 'sources' in record;
