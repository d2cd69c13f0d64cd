import { idPattern } from '#core';
import type { Slice } from '#core/api';
import { projectRows, type Store, sliceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { sliceOf } from './views.ts';

export interface SliceQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A project's slices, newest first. Throws `not_found` for the project. */
export async function listSlices(store: Store, call: Call, query: SliceQuery): Promise<Page<Slice>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(query.cursor, idPattern('slc'));
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await sliceRows.listSlices(scope, {
    project_id: query.project_id,
    before,
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, sliceOf);
}
