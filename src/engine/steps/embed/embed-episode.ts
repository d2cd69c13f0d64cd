import type { CameraEvidence, Episode, Outcome } from '#core/episode';
import { type EpisodeSample, sampleEpisode } from '#quality/curation';
import { describeEpisode, type EpisodeVectors, type NoVectors } from '#quality/search';

/** What search filters and ranks an episode by that its verdict does not say. Plain data: it crosses threads. */
export interface EmbeddedEpisode {
  readonly id: string;
  readonly index: number;
  readonly tasks: readonly string[];
  readonly outcome: Outcome['value'];
  readonly robot: string | null;
  /** Classes of its labels, each once. */
  readonly objects: readonly string[];
  readonly vectors: readonly EpisodeVectors[];
  readonly unranked: readonly NoVectors[];
  /** What curation compares it by beside its vectors. */
  readonly curation: EpisodeSample;
}

/** Describes an episode while its numbers are at hand, from the frames that measuring has decoded. */
export function embedEpisode(
  episode: Episode,
  cameras: ReadonlyMap<string, CameraEvidence>,
): EmbeddedEpisode {
  const described = describeEpisode({ episode, cameras });
  return {
    id: episode.id,
    index: episode.index,
    tasks: (episode.tasks ?? []).map(({ text }) => text),
    outcome: episode.outcome.value,
    robot: episode.robot,
    objects: [...new Set((episode.labels ?? []).map(({ category }) => category))].sort(),
    vectors: described.filter((one) => 'vector' in one),
    unranked: described.filter((one) => 'reason' in one),
    curation: sampleEpisode(episode),
  };
}
