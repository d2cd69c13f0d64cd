import type { Ablation, AblationInput, CurationReport } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { computePlan } from '../curation/compute-plan.ts';
import { loadEpisodes } from '../curation/load-episodes.ts';
import { chosenPlan } from './chosen-plan.ts';
import { composedOnly } from './limits.ts';

/**
 * The raw set, what readiness accepts of it and what a plan chooses, side by side by composition. Throws `not_found`,
 * `invalid_request`, `limit_exceeded`, `busy`.
 */
export async function runAblation(
  store: Store,
  call: Call,
  { project_id, plan, plan_id }: AblationInput & { readonly project_id: string },
): Promise<Ablation> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id);
  const chosen = await chosenPlan(scope, loaded, { plan, plan_id });
  const filter = { seed: 0, stages: [{ strategy: 'decision', parameters: { keep: ['accept'] } }] };
  const filtered = await computePlan(store, filter, loaded);
  const curated = await computePlan(store, chosen, loaded, '/body/plan');
  return {
    project_id,
    subsets: [
      { id: 'raw', how: 'every episode', composition: filtered.before },
      { id: 'readiness_filtered', how: 'accepted episodes', composition: filtered.after },
      { id: 'curated', how: howOf(curated), composition: curated.after },
    ],
    plan_hash: curated.plan_hash,
    probe: {
      status: 'not_run',
      reason: 'counts need no training',
      advice:
        'POST /v1/projects/{project_id}/probe trains small policies on each subset; or train on an export of each subset and compare on episodes that none of them holds',
    },
    limits: [...composedOnly],
  };
}

const howOf = ({ plan }: CurationReport): string =>
  `stages ${plan.stages.map(({ strategy }) => strategy).join(', ')}; seed ${plan.seed}`;
