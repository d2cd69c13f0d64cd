import type { ApplyCuration, CurationPlan } from '#contract';
import { AssayError, newId } from '#kernel';
import { curationRows, projectRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { computePlan } from './compute-plan.ts';
import { loadEpisodes } from './load-episodes.ts';
import { planOf } from './views.ts';

/**
 * Runs a plan and stores what it chose; episodes stay as they are. Throws `not_found`, `invalid_request`,
 * `plan_changed`, `limit_exceeded`, `busy`.
 */
export async function applyCuration(
  store: Store,
  call: Call,
  { project_id, name, expected_plan_hash, ...plan }: ApplyCuration & { readonly project_id: string },
): Promise<CurationPlan> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { episodes } = await loadEpisodes(scope, project_id);
  const report = await computePlan(store, plan, episodes);
  if (expected_plan_hash !== undefined && expected_plan_hash !== report.plan_hash)
    throw new AssayError('plan_changed', 'the plan does not choose what it chose in the preview', {
      advice: 'preview again: episodes were judged, reviewed or added since',
      details: { expected_plan_hash, plan_hash: report.plan_hash },
    });
  const row: Omit<curationRows.CurationPlanRow, 'tenant_id'> = {
    id: newId('cur'),
    project_id,
    name: name ?? report.plan.stages.map(({ strategy }) => strategy).join(', '),
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
      detail: { project_id, name: row.name, plan_hash, episodes_kept, episodes_dropped },
    });
    return planOf(row);
  });
}
