import type { EpisodeSort, EpisodeSummary } from '#contract';
import { type EpisodeFilter, episodePages, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { cursorOf, placeOf } from './episode-cursor.ts';
import { summaryOf } from './views.ts';

export interface EpisodeQuery extends EpisodeFilter {
  readonly project_id: string;
  readonly sort: EpisodeSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * A project's episodes that pass the filters, in order. Pages go by place, not by count: episodes that come or go
 * meanwhile neither repeat nor hide others. Throws `not_found`, and `invalid_request` for a cursor of another list.
 */
export async function listEpisodes(
  store: Store,
  call: Call,
  { cursor, limit, ...query }: EpisodeQuery,
): Promise<Page<EpisodeSummary>> {
  requireRole(call, 'viewer');
  const after = placeOf(query.sort, cursor);
  const page = await episodePages.listEpisodes(scopeOf(store, call), { ...query, after, limit: limit + 1 });
  if (page === null) throw noProject();
  const { pinned_kind } = page;
  const episodes = page.episodes.map((row) => summaryOf(row, query.project_id, pinned_kind));
  return pageOfRows(
    episodes,
    limit,
    (last) => cursorOf(query.sort, last),
    (episode) => episode,
  );
}
