import type { EpisodeSearchFilter } from '#core/api';
import type { IndexedEpisode, SearchRank, SearchResult } from './indexed-episode.ts';
import { passes } from './passes.ts';
import { rankByLikeness } from './rank-likeness.ts';
import { rankByWords } from './rank-words.ts';

/** Filters first, then ranks what is left, one by one. Throws `not_found` where the episode has nothing to compare. */
export function searchEpisodes<Episode extends IndexedEpisode>(
  episodes: readonly Episode[],
  filter: EpisodeSearchFilter,
  rank: SearchRank | null,
): SearchResult<Episode> {
  const matched = episodes.filter((episode) => passes(episode, filter));
  if (rank === null) return inOrder(matched);
  return rank.by === 'text' ? rankByWords(matched, rank.text) : rankByLikeness(matched, rank);
}

function inOrder<Episode>(matched: readonly Episode[]): SearchResult<Episode> {
  const why = 'passes the filters';
  return {
    coverage: { matched: matched.length, ranked: matched.length, not_ranked: [] },
    ranked_by: null,
    hits: matched.map((episode) => ({ episode, score: null, why, moment: null })),
  };
}
