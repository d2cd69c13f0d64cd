import type { CurationPlanInput, CurationReport } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { computePlan } from './compute-plan.ts';
import { loadEpisodes } from './load-episodes.ts';

/** What a plan would choose; nothing is stored. Throws `not_found`, `invalid_request`, `limit_exceeded`, `busy`. */
export async function previewCuration(
  store: Store,
  call: Call,
  { project_id, ...plan }: CurationPlanInput & { readonly project_id: string },
): Promise<CurationReport> {
  requireRole(call, 'viewer');
  return computePlan(store, plan, await loadEpisodes(scopeOf(store, call), project_id));
}
