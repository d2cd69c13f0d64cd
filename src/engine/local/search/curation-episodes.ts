import { type CurationEpisode, fromSample, planNames } from '#quality/curation';
import type { EpisodeIndex, FoundEpisode } from './index-episodes.ts';

/**
 * The episodes of an index as curation sees them, under their plan names. `operators`: who recorded them, by name; no
 * format keeps that.
 */
export function curationEpisodes(
  { episodes }: EpisodeIndex,
  operators: ReadonlyMap<string, string> = new Map(),
): CurationEpisode[] {
  const names = planNames(episodes.map(({ id: name, dataset, format }) => ({ name, dataset, format })));
  return episodes.map((episode, i) => {
    const id = names[i];
    const { decision, score, flags, tasks, robot, duration_s, curation } = episode;
    const outcome =
      episode.outcome === 'success' || episode.outcome === 'failure' ? episode.outcome : 'unknown';
    return {
      ...{ id, decision, score, flags, robot, outcome, duration_s },
      task: tasks[0] ?? null,
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
