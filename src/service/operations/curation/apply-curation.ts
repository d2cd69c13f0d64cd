import { AssayError } from '#core';
import type { ApplyCuration, CurationPlan } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { computePlan } from './compute-plan.ts';
import { loadEpisodes } from './load-episodes.ts';
import { storePlan } from './store-plan.ts';
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
  const report = await computePlan(store, plan, await loadEpisodes(scopeOf(store, call), project_id));
  if (expected_plan_hash !== undefined && expected_plan_hash !== report.plan_hash)
    throw new AssayError('plan_changed', 'the plan does not choose what it chose in the preview', {
      advice: 'preview again: episodes were judged, reviewed or added since',
      details: { expected_plan_hash, plan_hash: report.plan_hash },
    });
  const usual = report.plan.stages.map(({ strategy }) => strategy).join(', ');
  return planOf(await storePlan(store, call, { project_id, name: name ?? usual, report }));
}
