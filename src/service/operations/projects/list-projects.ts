import { idPattern } from '#core';
import type { Project } from '#core/api';
import { projectCountRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { projectOf } from './views.ts';

export interface ProjectQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly workspace_id?: string | undefined;
}

/** The tenant's projects, newest first, of one workspace where it is named. */
export async function listProjects(store: Store, call: Call, query: ProjectQuery): Promise<Page<Project>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const rows = await projectRows.listProjects(scope, {
    workspace_id: query.workspace_id ?? null,
    before: readCursor(query.cursor, idPattern('prj')),
    limit: query.limit + 1,
  });
  const shown = rows.slice(0, query.limit).map(({ id }) => id);
  const counts = await projectCountRows.countEpisodes(scope, shown);
  return pageOfRows(
    rows,
    query.limit,
    ({ id }) => id,
    (row) => projectOf(row, counts),
  );
}
