import { type CurationEpisode, fromSample } from '#curation';
import type { EpisodeIndex, FoundEpisode } from './index-episodes.ts';

/**
 * The episodes of an index as curation sees them. Ids are those of `assay assess`; where the path holds several
 * datasets, `DATASET/EPISODE`. `operators`: who recorded them, by id; no format keeps that.
 */
export function curationEpisodes(
  { episodes }: EpisodeIndex,
  operators: ReadonlyMap<string, string> = new Map(),
): CurationEpisode[] {
  const datasets = new Set(episodes.map(({ dataset }) => dataset));
  return episodes.map((episode) => {
    const id = datasets.size > 1 ? `${episode.dataset}/${episode.id}` : episode.id;
    const { decision, score, flags, tasks, robot, duration_s, curation } = episode;
    const outcome =
      episode.outcome === 'success' || episode.outcome === 'failure' ? episode.outcome : 'unknown';
    return {
      ...{ id, decision, score, flags, robot, outcome, duration_s },
      task: tasks.length === 0 ? null : tasks.join('; '),
      operator: operators.get(id) ?? operators.get(episode.id) ?? null,
      ...fromSample(curation),
      ...vectorsOf(episode),
    };
  });
}

function vectorsOf({ vectors }: FoundEpisode): Pick<CurationEpisode, 'motion' | 'picture' | 'layouts'> {
  const [motion, picture] = ['motion', 'picture'].map((id) =>
    vectors.find(({ descriptor }) => descriptor === id),
  );
  return {
    ...(motion === undefined ? {} : { motion: Float32Array.from(motion.vector) }),
    ...(picture === undefined ? {} : { picture: Float32Array.from(picture.vector) }),
    layouts: {
      ...(motion === undefined ? {} : { motion: motion.layout }),
      ...(picture === undefined ? {} : { picture: picture.layout }),
    },
  };
}
