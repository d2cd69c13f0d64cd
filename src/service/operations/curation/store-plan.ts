import { newId } from '#core';
import type { CurationReport } from '#core/api';
import { type CurationPlanRow, curationRows, projectRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';

/** Keeps what a plan chose, and says so in the audit log. Throws `not_found`. */
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
    // Shared, so that the project cannot be deleted between here and the commit.
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
