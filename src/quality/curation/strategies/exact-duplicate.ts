import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import type { CurationEpisode } from '../curation-episode.ts';
import { defineStrategy } from '../strategy.ts';

export const exactDuplicate = defineStrategy({
  id: 'exact_duplicate',
  title: strategyTitles.exact_duplicate,
  about:
    'Of episodes with the same SHA-256 over all their numbers (or pictures, where there are none) one stays: the one with the best decision, then the best score, then the first by id.',
  source: null,
  needs: ['content_hash'],
  parameters: z.strictObject({}),
  run({ episodes }) {
    const dropped = new Map<string, string>();
    const not_assessable = new Map<string, string>();
    const best = new Map<string, CurationEpisode>();
    for (const episode of episodes) {
      const { id, content_hash } = episode;
      if (content_hash === undefined) {
        not_assessable.set(id, 'it has no hash of its content');
        continue;
      }
      const other = best.get(content_hash);
      if (other === undefined || pickBetter(episode, other) === episode) best.set(content_hash, episode);
    }
    for (const { id, content_hash } of episodes) {
      const bestId = content_hash === undefined ? undefined : best.get(content_hash);
      if (bestId !== undefined && bestId.id !== id) dropped.set(id, `the same content as ${bestId.id}`);
    }
    return { dropped, not_assessable };
  },
});

const rank = { accept: 2, review: 1, reject: 0 } as const;

/** Returns the episode with the better decision, then the better score; `first` if equal. */
function pickBetter(one: CurationEpisode, first: CurationEpisode): CurationEpisode {
  const ahead = rank[one.decision] - rank[first.decision] || (one.score ?? -1) - (first.score ?? -1);
  return ahead > 0 ? one : first;
}
