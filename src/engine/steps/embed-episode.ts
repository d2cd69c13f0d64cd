import type { CameraEvidence, Episode, Outcome } from '#core/episode';
import { type EpisodeSample, sampleEpisode } from '#quality/curation';
import { describeEpisode, type EpisodeVectors, type NoVectors } from '#quality/search';

/**
 * Description of an episode for search filters and ranking, beyond its verdict. Plain data; may be sent between
 * threads.
 */
export interface EmbeddedEpisode {
  readonly id: string;
  readonly index: number;
  readonly tasks: readonly string[];
  readonly outcome: Outcome['value'];
  readonly robot: string | null;
  /** Distinct classes of its labels. */
  readonly objects: readonly string[];
  readonly vectors: readonly EpisodeVectors[];
  readonly unranked: readonly NoVectors[];
  /** Data that curation compares, besides the vectors. */
  readonly curation: EpisodeSample;
}

/** Describes an episode for search, from its numbers and the frames that measuring has decoded. */
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
