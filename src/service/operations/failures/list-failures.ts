import { idPattern } from '#core';
import type { Failure, FailureVerdict } from '#core/api';
import { failureRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { failureOf } from './views.ts';

export interface FailureList {
  readonly project_id: string;
  readonly import_id?: string | undefined;
  readonly verdict?: FailureVerdict | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A project's failures, newest first. Throws `not_found`. */
export async function listFailures(
  store: Store,
  call: Call,
  { project_id, import_id = undefined, verdict, limit, cursor }: FailureList,
): Promise<Page<Failure>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(cursor, idPattern('fai'));
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const rows = await failureRows.listFailures(scope, {
    project_id,
    import_id: import_id ?? null,
    verdict: verdict ?? null,
    before,
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, ({ id }) => id, failureOf);
}
