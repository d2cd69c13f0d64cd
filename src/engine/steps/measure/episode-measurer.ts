import { AssayError, messageOf } from '#core';
import type { Incomplete } from '#core/api';
import type { CameraEvidence, Episode, EpisodeCut, Finding, Kind } from '#core/episode';
import type { DatasetFacts, Unreadable } from '#formats';
import type { Chunk } from '#formats/recipes';
import {
  type ComparisonRows,
  collectRows,
  comparisons,
  createEpisodeBrief,
  createEpisodeRecord,
  createFeatures,
  type DerivedKind,
  deriveKind,
  measureEpisode,
  type Subject,
} from '#quality/readiness';
import { sketchEpisode } from '#quality/report';
import type { EmbeddedEpisode, embedEpisode } from '../embed-episode.ts';
import type { MeasuredEpisode } from '../judge/episode-judge.ts';
import type { EpisodeData, MeasuredUnit, StepOptions, StreamTotal, Task } from '../tasks.ts';
import { kindSetByHand } from './kinds.ts';
import { RowPacker } from './row-pack.ts';
import { unfinishedEpisode } from './unit-faults.ts';

/** Receives each measured episode; a returned promise is awaited before the next one. */
export type EpisodeSink = (kept: MeasuredEpisode, episode: Episode) => Promise<void> | undefined;

/** Measures episodes one after another: kind, features, all checks, and the sketch for the report. */
export class EpisodeMeasurer {
  readonly #options: StepOptions;
  readonly #sink: EpisodeSink;
  readonly #unit: UnitTotals;
  readonly #facts: DatasetFacts;
  readonly #embed: typeof embedEpisode | null;

  private constructor(
    options: StepOptions,
    facts: DatasetFacts,
    unit: UnitTotals,
    keep: EpisodeSink,
    embed: typeof embedEpisode | null,
  ) {
    this.#embed = embed;
    this.#facts = facts;
    this.#options = options;
    this.#sink = keep;
    this.#unit = unit;
  }

  /** Creates a measurer. Code for search and curation is loaded only if requested. */
  static async create(
    options: StepOptions,
    facts: DatasetFacts,
    unit: UnitTotals,
    keep: EpisodeSink,
  ): Promise<EpisodeMeasurer> {
    const embed = options.embed === undefined ? null : (await import('../embed-episode.ts')).embedEpisode;
    return new EpisodeMeasurer(options, facts, unit, keep, embed);
  }

  /**
   * Measures an episode and passes it on; returns what the receiver returns, to be awaited. If a check throws, only this
   * episode is lost and becomes a finding, and undefined is returned.
   */
  measure(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): Promise<void> | undefined {
    let kept: MeasuredEpisode | null = null;
    try {
      kept = this.#measure(episode, cameras);
    } catch (thrown) {
      this.#unit.addUnreadable(toUnreadable(episode, thrown));
    }
    return kept === null ? undefined : this.#sink(kept, episode);
  }

  #measure(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): MeasuredEpisode {
    const derived = deriveKind(episode);
    const subject: Subject = {
      episode,
      kind: this.#options.kind ?? derived.kind,
      cameras,
      features: createFeatures(episode),
      declared_statistics: this.#facts.declared_statistics,
      pictures: this.#options.pictures,
    };
    const kept: MeasuredEpisode = {
      record: this.#options.seal
        ? createEpisodeRecord(subject, this.#kindEvidence(derived))
        : createEpisodeBrief(subject),
      measured: measureEpisode(subject),
      ...this.#sketch(episode, cameras),
      ...this.#embedded(episode, cameras),
    };
    this.#unit.addEpisode(episode, subject.kind, collectRows(subject));
    return kept;
  }

  #sketch(
    episode: Episode,
    cameras: ReadonlyMap<string, CameraEvidence>,
  ): Pick<MeasuredEpisode, 'sketch' | 'undrawn'> {
    const { render, sketch_codes } = this.#options;
    if (render === false) return { sketch: null };
    const { duration_s, events, streams } = episode;
    const later = render === 'pictures' && streams.every(({ frames }) => frames === undefined);
    return later
      ? { sketch: null, undrawn: { duration_s, events } }
      : { sketch: sketchEpisode(episode, cameras, { codes: sketch_codes }) };
  }

  #embedded(
    episode: Episode,
    cameras: ReadonlyMap<string, CameraEvidence>,
  ): Pick<MeasuredEpisode, 'embedded'> {
    if (this.#embed === null) return {};
    const embedded = this.#embed(episode, cameras);
    if (this.#options.embed === 'kept') return { embedded };
    this.#unit.addEmbedded(embedded);
    return {};
  }

  #kindEvidence({ kind, evidence }: DerivedKind): readonly string[] {
    return this.#options.kind === null
      ? evidence
      : [`${kindSetByHand}; the streams say ${kind}`, ...evidence];
  }
}

function toUnreadable(episode: Episode, thrown: unknown): Unreadable {
  const finding: Finding = {
    code: 'episode_not_measured',
    severity: 'error',
    path: episode.locator.path,
    message: `${episode.id} could not be measured: ${messageOf(thrown)}`,
    advice: 'check this file; if it is valid, report a bug',
  };
  return { unreadable: true, id: episode.id, index: episode.index, finding };
}

/** Maximum number of unfinished episodes per unit; with more, the whole unit fails. */
const maxUnfinished = 20;

/** Collects the totals of a unit. */
export class UnitTotals {
  readonly #task: Task;
  readonly #kinds: Partial<Record<Kind, number>> = {};
  readonly #streams: Record<string, StreamTotal> = {};
  readonly #findings: Finding[] = [];
  readonly #ids: string[] = [];
  readonly #indices: number[] = [];
  readonly #rows = comparisons.ids.map((id) => ({ id, packer: new RowPacker() }));
  readonly #chunks: Chunk[] = [];
  readonly #unfinished: { readonly index: number; readonly incomplete: Incomplete }[] = [];
  readonly #embedded: EmbeddedEpisode[] = [];
  #unreadable = 0;

  constructor(task: Task) {
    this.#task = task;
  }

  /** Counts an unreadable episode and adds its finding. */
  addUnreadable({ finding }: Unreadable): void {
    this.#unreadable++;
    this.#findings.push(finding);
  }

  /**
   * Records an episode that could not be measured on this machine and returns null; rethrows any other error, and this one too
   * once a unit has more than 20.
   */
  addUnfinished(episode: Episode, thrown: unknown): null {
    if (!(thrown instanceof AssayError) || thrown.code !== 'unfinished') throw thrown;
    if (this.#unfinished.length >= maxUnfinished) throw thrown;
    this.#unfinished.push({ index: episode.index, incomplete: unfinishedEpisode(episode, thrown) });
    return null;
  }

  addEpisode(episode: Episode, kind: Kind, rows: ComparisonRows): void {
    for (const { id, packer } of this.#rows) packer.add(rows[id] ?? null);
    this.#ids.push(episode.id);
    this.#indices.push(episode.index);
    if (episode.cut !== undefined) this.#chunks.push(toChunk(episode, episode.cut));
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    for (const { id, role, modality, sample_count } of episode.streams) {
      this.#streams[id] ??= { role, modality, samples: 0, episodes: 0 };
      this.#streams[id].samples += sample_count;
      this.#streams[id].episodes++;
    }
  }

  /** Adds an episode's search description. */
  addEmbedded(episode: EmbeddedEpisode): void {
    this.#embedded.push(episode);
  }

  #packed(): Record<string, Uint8Array> {
    const filled = this.#rows.filter(({ packer }) => !packer.empty);
    return Object.fromEntries(filled.map(({ id, packer }) => [id, packer.toBytes()]));
  }

  #inOrder(): Incomplete[] {
    return this.#unfinished.sort((a, b) => a.index - b.index).map(({ incomplete }) => incomplete);
  }

  /** Returns the measured unit with its totals; `data` is where its episodes are. */
  finish(data: EpisodeData): MeasuredUnit {
    return {
      place: this.#task.place,
      dataset: this.#task.dataset,
      kept: data,
      episodes: this.#ids.length,
      kinds: this.#kinds,
      streams: this.#streams,
      ...(this.#chunks.length === 0 ? {} : { chunks: this.#chunks }),
      rows: { episodes: this.#ids, indices: this.#indices, packed: this.#packed() },
      ...(this.#embedded.length === 0 ? {} : { embedded: this.#embedded }),
      findings: this.#findings,
      unreadable: this.#unreadable,
      ...(this.#unfinished.length === 0 ? {} : { unfinished: this.#inOrder() }),
    };
  }
}

function toChunk({ id, streams }: Episode, { recording, from_s, to_s, begins, ends }: EpisodeCut): Chunk {
  return { id, recording, from_s, to_s, begins, ends, streams: streams.map((stream) => stream.id) };
}
