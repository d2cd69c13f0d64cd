import { idPattern } from '#core';
import type { AnnotationEdit } from '#core/api';
import { annotationRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { type Page, pageOfRows, readCursor } from '../../page.ts';
import { demandEpisode } from './load-annotation.ts';
import { type EpisodeLayer, editOf } from './views.ts';

interface EditQuery extends EpisodeLayer {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What people wrote over a layer's text of an episode, newest first. Throws `not_found`. */
export async function listAnnotationEdits(
  store: Store,
  call: Call,
  query: EditQuery,
): Promise<Page<AnnotationEdit>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id, layer, limit } = query;
  await demandEpisode(scope, query);
  const before = readCursor(query.cursor, idPattern('edt'));
  const rows = await annotationRows.listEdits(scope, { episode_id, layer, before, limit: limit + 1 });
  return pageOfRows(rows, limit, ({ id }) => id, editOf);
}
