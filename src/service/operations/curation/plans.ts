import { AssayError, idPattern, newId } from '#core';
import type { CurationPlan, CurationPlanSummary, CurationReport } from '#core/api';
import { type CurationPlanRow, curationRows, projectRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** Lists the applied plans of a project, newest first. Throws `not_found`. */
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

/** Returns an applied plan with the result for every episode. Throws `not_found`. */
export async function getCurationPlan(
  store: Store,
  call: Call,
  { project_id, plan_id }: { readonly project_id: string; readonly plan_id: string },
): Promise<CurationPlan> {
  requireRole(call, 'viewer');
  const row = await curationRows.getPlan(scopeOf(store, call), project_id, plan_id);
  if (row === null) throw noPlan();
  return planOf(row);
}

/** Stores and audits the result of a plan, and returns its row. Throws `not_found`. */
export async function storePlan(
  store: Store,
  call: Call,
  {
    project_id,
    name,
    report,
  }: { readonly project_id: string; readonly name: string; readonly report: CurationReport },
): Promise<CurationPlanRow> {
  const scope = scopeOf(store, call);
  const row: CurationPlanRow = {
    tenant_id: scope.tenant_id,
    id: newId('cur'),
    project_id,
    name,
    plan_hash: report.plan_hash,
    input_hash: report.input_hash,
    plan: report.plan,
    episodes_kept: report.kept.length,
    episodes_dropped: report.dropped.length,
    report,
    created_at: call.now,
    created_by: actorId(call),
  };
  return store.database.transaction(async () => {
    // Share lock, so that the project cannot be deleted before the commit.
    if ((await projectRows.getProject(scope, project_id, 'share')) === null) throw noProject();
    await curationRows.insertPlan(scope, row);
    const { id, plan_hash, input_hash, episodes_kept, episodes_dropped } = row;
    await appendAudit(store, call, {
      action: 'apply_curation',
      object_type: 'curation_plan',
      object_id: id,
      before: null,
      after: { plan_hash, input_hash },
      detail: { project_id, name, plan_hash, episodes_kept, episodes_dropped },
    });
    return row;
  });
}

/** Converts a plan row to the API view with its report. */
export function planOf({ report, ...row }: CurationPlanRow): CurationPlan {
  const { id, project_id, name, created_by } = row;
  return { id, project_id, name, created_at: row.created_at.toISOString(), created_by, ...report };
}

/** Converts a plan row to its API summary. */
export function planSummaryOf(row: Omit<CurationPlanRow, 'report'>): CurationPlanSummary {
  const { tenant_id: _, created_at, ...shown } = row;
  return { ...shown, created_at: created_at.toISOString() };
}

/** Returns the error `not_found` for a missing curation plan. */
export const noPlan = (): AssayError =>
  new AssayError('not_found', 'curation plan not found in the project', {
    advice: 'list the plans with GET /v1/projects/{project_id}/curation/plans',
  });
