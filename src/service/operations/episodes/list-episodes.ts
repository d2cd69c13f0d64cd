import { z } from 'zod';
import { idPattern } from '#core';
import { type EpisodeSort, type EpisodeSummary, episodeSorts } from '#core/api';
import type { Kind } from '#core/episode';
import { type EpisodeFilter, type EpisodePlace, episodePages, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { badCursor, type Page, pageOfRows } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { readWord, wordOf } from './opaque-word.ts';
import { summaryOf } from './views.ts';

export interface EpisodeQuery extends Omit<EpisodeFilter, 'stream_kind'> {
  /** As shown: the pinned kind stands for that of every episode. */
  readonly kind?: readonly Kind[] | undefined;
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
  { cursor, limit, kind, ...query }: EpisodeQuery,
): Promise<Page<EpisodeSummary>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const after = placeOf(query.sort, cursor);
  const ask = (stream_kind: readonly Kind[] | undefined) =>
    episodePages.listEpisodes(scope, { ...query, stream_kind, after, limit: limit + 1 });
  let page = await ask(kind);
  // Seldom is a kind pinned: then it is not the streams that say which episodes pass.
  if (kind !== undefined && page !== null && page.pinned_kind !== null)
    page = kind.includes(page.pinned_kind) ? await ask(undefined) : { ...page, episodes: [] };
  if (page === null) throw noProject();
  const { pinned_kind } = page;
  return pageOfRows(
    page.episodes,
    limit,
    ({ value, id }) => cursorOf(query.sort, { value, id }),
    (row) => summaryOf(row, query.project_id, pinned_kind),
  );
}

const shape = z.tuple([
  z.enum(episodeSorts),
  z.union([z.number(), z.string()]),
  z.string().regex(idPattern('ep')),
]);

/** Where a page ended. It says nothing that the page did not. */
const cursorOf = (sort: EpisodeSort, { value, id }: EpisodePlace): string => wordOf([sort, value, id]);

/** What `cursorOf` made for the same order, or null where no cursor was sent. Throws `invalid_request`. */
function placeOf(sort: EpisodeSort, cursor: string | undefined): EpisodePlace | null {
  if (cursor === undefined) return null;
  const parsed = shape.safeParse(readWord(cursor));
  if (!parsed.success) throw badCursor('not a cursor of this list');
  const [made_for, value, id] = parsed.data;
  if (made_for !== sort) throw badCursor(`the cursor goes with sort=${made_for}`);
  const numeric = /^-?(score|duration_s)$/.test(sort);
  if (numeric !== (typeof value === 'number')) throw badCursor('not a cursor of this list');
  return { value, id };
}
