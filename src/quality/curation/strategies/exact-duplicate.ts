import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import type { CurationEpisode } from '../curation-episode.ts';
import { defineStrategy } from '../strategy.ts';

export const exactDuplicate = defineStrategy({
  id: 'exact_duplicate',
  title: strategyTitles.exact_duplicate,
  about:
    'Keeps one of the episodes with the same SHA-256 over all numeric data (or over the images, if there is none): the one with the best decision, then the best score, then the first id.',
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
        not_assessable.set(id, 'no content hash');
        continue;
      }
      const other = best.get(content_hash);
      if (other === undefined || pickBetter(episode, other) === episode) best.set(content_hash, episode);
    }
    for (const { id, content_hash } of episodes) {
      const bestId = content_hash === undefined ? undefined : best.get(content_hash);
      if (bestId !== undefined && bestId.id !== id) dropped.set(id, `same content as ${bestId.id}`);
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
