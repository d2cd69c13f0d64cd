import { idPattern } from '#core';
import type { CurationPlanSummary } from '#core/api';
import { curationRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { planSummaryOf } from './views.ts';

/** The plans that were applied, newest first. Throws `not_found`. */
export async function listCurationPlans(
  store: Store,
  call: Call,
  query: { readonly project_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CurationPlanSummary>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(query.cursor, idPattern('cur'));
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const { project_id, limit } = query;
  const rows = await curationRows.listPlans(scope, { project_id, before, limit: limit + 1 });
  return pageOfRows(rows, limit, ({ id }) => id, planSummaryOf);
}
