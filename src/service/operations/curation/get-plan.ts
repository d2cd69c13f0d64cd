import type { CurationPlan } from '#core/api';
import { curationRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noPlan, planOf } from './views.ts';

/** A plan that was applied, with what became of every episode. Throws `not_found`. */
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
