import { idPattern } from '#core';
import type { Run } from '#core/api';
import { runOf } from '#engine';
import { projectRows, runRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

export interface RunQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly source_id?: string | undefined;
  readonly status?: Run['status'] | undefined;
}

/** A project's runs, newest first. Throws `not_found`. */
export async function listRuns(store: Store, call: Call, query: RunQuery): Promise<Page<Run>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await runRows.listRuns(scope, {
    project_id: query.project_id,
    source_id: query.source_id ?? null,
    status: query.status ?? null,
    before: readCursor(query.cursor, idPattern('run')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, runOf);
}
