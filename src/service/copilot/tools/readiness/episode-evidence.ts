import { AssayError } from '#core';
import { type Call, getEpisode } from '#service/operations';
import type { Store } from '#store';

interface EpisodePath {
  readonly project_id: string;
  readonly episode_id: string;
}

/** Why an episode was judged as it was, without where its files lie. Throws `not_found`. */
export async function episodeEvidence(store: Store, call: Call, path: EpisodePath) {
  const episode = await getEpisode(store, call, path);
  if (episode.project_id !== path.project_id)
    throw new AssayError('not_found', 'the project has no such episode', {
      advice: 'search_episodes lists the project’s episodes',
    });
  const { id, name, kind, task, robot, outcome, duration_s, tags } = episode;
  const { decision, decision_reason, score, graded_fraction, review_decision } = episode;
  const { integrity, semantic, utility } = episode.views;
  return {
    ...{ id, name, kind, task, robot, outcome, duration_s, tags },
    ...{ decision, decision_reason, score, graded_fraction, review_decision },
    flags: episode.flag_details,
    views: { integrity, semantic, utility },
    findings: episode.findings,
    limits: episode.limits,
    receipt: episode.receipt,
  };
}
