import { idPattern } from '#core';
import type { Export } from '#core/api';
import { exportOf } from '#engine';
import { exportRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

export interface ExportQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: Export['status'] | undefined;
}

/** A project's exports, newest first. Throws `not_found`. */
export async function listExports(store: Store, call: Call, query: ExportQuery): Promise<Page<Export>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await exportRows.listExports(scope, {
    project_id: query.project_id,
    status: query.status ?? null,
    before: readCursor(query.cursor, idPattern('exp')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, exportOf);
}
