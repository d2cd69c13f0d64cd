import { messageOf } from '#core';
import type { CameraEvidence, Episode, Finding } from '#core/episode';
import type { DatasetFacts, Unreadable } from '#formats';
import {
  briefOf,
  collectRows,
  createFeatures,
  type DerivedKind,
  deriveKind,
  measureEpisode,
  recordOf,
  type Subject,
} from '#quality/readiness';
import { sketchEpisode } from '#quality/report';
import type { embedEpisode } from '../embed/embed-episode.ts';
import type { KeptEpisode } from '../judge/episode-judge.ts';
import type { StepOptions } from '../tasks.ts';
import { kindSetByHand } from './kind-set-by-hand.ts';
import type { UnitTotals } from './unit-totals.ts';

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
