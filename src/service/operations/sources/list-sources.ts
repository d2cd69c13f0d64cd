import { idPattern } from '#core';
import type { Source } from '#core/api';
import { projectRows, type Store, sourceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { sourceOf } from './views.ts';

export interface SourceQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A project's sources, newest first. Throws `not_found` for the project. */
export async function listSources(store: Store, call: Call, query: SourceQuery): Promise<Page<Source>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await sourceRows.listSources(scope, {
    project_id: query.project_id,
    before: readCursor(query.cursor, idPattern('src')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, sourceOf);
}
