import { AssayError, messageOf } from '#core';
import type { Incomplete } from '#core/api';
import type { CameraEvidence, Episode, EpisodeCut, Finding, Kind } from '#core/episode';
import type { DatasetFacts, Unreadable } from '#formats';
import type { Chunk } from '#formats/recipes';
import {
  briefOf,
  type ComparisonRows,
  collectRows,
  comparisons,
  createFeatures,
  type DerivedKind,
  deriveKind,
  measureEpisode,
  recordOf,
  type Subject,
} from '#quality/readiness';
import { sketchEpisode } from '#quality/report';
import type { EmbeddedEpisode, embedEpisode } from '../embed/embed-episode.ts';
import type { KeptEpisode } from '../judge/episode-judge.ts';
import type { Kept, MeasuredUnit, StepOptions, StreamTotal, Task } from '../tasks.ts';
import { kindSetByHand } from './kind-set-by-hand.ts';
import { RowPacker } from './row-pack.ts';
import { unfinishedEpisode } from './unfinished.ts';

/** Takes what is kept of an episode; a promise is waited for before the next comes. */
export type Keep = (kept: KeptEpisode, episode: Episode) => Promise<void> | undefined;

/** Takes one episode after another: kind, features, every check's measurement, and what the report will draw. */
export class EpisodeMeasurer {
  readonly #options: StepOptions;
  readonly #keep: Keep;
  readonly #unit: UnitTotals;
  readonly #facts: DatasetFacts;
  readonly #embed: typeof embedEpisode | null;

  private constructor(
    options: StepOptions,
    facts: DatasetFacts,
    unit: UnitTotals,
    keep: Keep,
    embed: typeof embedEpisode | null,
  ) {
    this.#embed = embed;
    this.#facts = facts;
    this.#options = options;
    this.#keep = keep;
    this.#unit = unit;
  }

  /** What describes episodes for search and curation is loaded only where that is asked for. */
  static async create(
    options: StepOptions,
    facts: DatasetFacts,
    unit: UnitTotals,
    keep: Keep,
  ): Promise<EpisodeMeasurer> {
    const embed =
      options.embed === undefined ? null : (await import('../embed/embed-episode.ts')).embedEpisode;
    return new EpisodeMeasurer(options, facts, unit, keep, embed);
  }

  /** A check that fails over one episode costs that episode only: it becomes a finding. */
  take(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): Promise<void> | undefined {
    let kept: KeptEpisode | null = null;
    try {
      kept = this.#measure(episode, cameras);
    } catch (thrown) {
      this.#unit.unreadable(notMeasured(episode, thrown));
    }
    return kept === null ? undefined : this.#keep(kept, episode);
  }

  #measure(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): KeptEpisode {
    const derived = deriveKind(episode);
    const subject: Subject = {
      episode,
      kind: this.#options.kind ?? derived.kind,
      cameras,
      features: createFeatures(episode),
      declared_statistics: this.#facts.declared_statistics,
      pictures: this.#options.pictures,
    };
    const kept: KeptEpisode = {
      record: this.#options.seal ? recordOf(subject, this.#kindEvidence(derived)) : briefOf(subject),
      measured: measureEpisode(subject),
      ...this.#drawn(episode, cameras),
      ...this.#embedded(episode, cameras),
    };
    this.#unit.episode(episode, subject.kind, collectRows(subject));
    return kept;
  }

  #drawn(
    episode: Episode,
    cameras: ReadonlyMap<string, CameraEvidence>,
  ): Pick<KeptEpisode, 'sketch' | 'undrawn'> {
    const { render, sketch_codes } = this.#options;
    if (render === false) return { sketch: null };
    const { duration_s, events, streams } = episode;
    const later = render === 'pictures' && streams.every(({ frames }) => frames === undefined);
    return later
      ? { sketch: null, undrawn: { duration_s, events } }
      : { sketch: sketchEpisode(episode, cameras, { codes: sketch_codes }) };
  }

  #embedded(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): Pick<KeptEpisode, 'embedded'> {
    if (this.#embed === null) return {};
    const embedded = this.#embed(episode, cameras);
    if (this.#options.embed === 'kept') return { embedded };
    this.#unit.embedded(embedded);
    return {};
  }

  #kindEvidence({ kind, evidence }: DerivedKind): readonly string[] {
    return this.#options.kind === null
      ? evidence
      : [`${kindSetByHand}; the streams say ${kind}`, ...evidence];
  }
}

function notMeasured(episode: Episode, thrown: unknown): Unreadable {
  const finding: Finding = {
    code: 'episode_not_measured',
    severity: 'error',
    path: episode.locator.path,
    message: `${episode.id} could not be measured: ${messageOf(thrown)}`,
    advice: 'look at the file named; if it is sound, report this as a fault of the program',
  };
  return { unreadable: true, id: episode.id, index: episode.index, finding };
}

/** Of a unit; where more cannot be measured, the rest cannot either. */
const mostUnfinished = 20;

/** What a unit adds up to. */
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

  unreadable({ finding }: Unreadable): void {
    this.#unreadable++;
    this.#findings.push(finding);
  }

  /** Takes down an episode that could not be measured here. Throws what says something else, or ends the unit. */
  unfinished(episode: Episode, thrown: unknown): null {
    if (!(thrown instanceof AssayError) || thrown.code !== 'unfinished') throw thrown;
    if (this.#unfinished.length >= mostUnfinished) throw thrown;
    this.#unfinished.push({ index: episode.index, incomplete: unfinishedEpisode(episode, thrown) });
    return null;
  }

  episode(episode: Episode, kind: Kind, rows: ComparisonRows): void {
    for (const { id, packer } of this.#rows) packer.add(rows[id] ?? null);
    this.#ids.push(episode.id);
    this.#indices.push(episode.index);
    if (episode.cut !== undefined) this.#chunks.push(chunkOf(episode, episode.cut));
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    for (const { id, role, modality, sample_count } of episode.streams) {
      this.#streams[id] ??= { role, modality, samples: 0, episodes: 0 };
      this.#streams[id].samples += sample_count;
      this.#streams[id].episodes++;
    }
  }

  embedded(episode: EmbeddedEpisode): void {
    this.#embedded.push(episode);
  }

  #packed(): Record<string, Uint8Array> {
    const filled = this.#rows.filter(({ packer }) => !packer.empty);
    return Object.fromEntries(filled.map(({ id, packer }) => [id, packer.bytes()]));
  }

  #inOrder(): Incomplete[] {
    return this.#unfinished.sort((a, b) => a.index - b.index).map(({ incomplete }) => incomplete);
  }

  close(kept: Kept): MeasuredUnit {
    return {
      place: this.#task.place,
      dataset: this.#task.dataset,
      kept,
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

function chunkOf({ id, streams }: Episode, { recording, from_s, to_s, begins, ends }: EpisodeCut): Chunk {
  return { id, recording, from_s, to_s, begins, ends, streams: streams.map((stream) => stream.id) };
}
