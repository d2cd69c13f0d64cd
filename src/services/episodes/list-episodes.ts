import type { EpisodeSort, EpisodeSummary } from '#contract';
import type { Kind } from '#episode';
import { type EpisodeFilter, episodePages, projectRows, type Store, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { cursorOf, placeOf } from './episode-cursor.ts';
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
  const pinned = kind === undefined ? null : await pinnedKind(scope, query.project_id);
  if (pinned !== null && !kind?.includes(pinned)) return { items: [], next_cursor: null };
  const stream_kind = pinned === null ? kind : undefined;
  const page = await episodePages.listEpisodes(scope, { ...query, stream_kind, after, limit: limit + 1 });
  if (page === null) throw noProject();
  return pageOfRows(
    page.episodes,
    limit,
    ({ value, id }) => cursorOf(query.sort, { value, id }),
    (row) => summaryOf(row, query.project_id, page.pinned_kind),
  );
}

async function pinnedKind(scope: TenantScope, project_id: string): Promise<Kind | null> {
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  return project.data_kind_override;
}
