import { idPattern } from '#core';
import type { Review } from '#core/api';
import { episodeRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { loadEpisode } from './load-episode.ts';
import { reviewOf } from './views.ts';

/** What people decided on an episode, newest first: the first counts. Throws `not_found`. */
export async function listReviews(
  store: Store,
  call: Call,
  query: { readonly episode_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Review>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(query.cursor, idPattern('rev'));
  const { episode } = await loadEpisode(scope, query.episode_id);
  const rows = await episodeRows.listReviews(scope, { ...query, before, limit: query.limit + 1 });
  return pageOfRows(
    rows,
    query.limit,
    ({ id }) => id,
    (row) => reviewOf(row, episode.receipt_id),
  );
}
