import { targetProfile } from '#catalog';
import type { Ablation, AblationInput, CurationReport } from '#contract';
import { recommendPlan } from '#curation';
import { AssayError } from '#kernel';
import { curationRows, type Store, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { computePlan } from '../curation/compute-plan.ts';
import { loadEpisodes } from '../curation/load-episodes.ts';
import { noPlan } from '../curation/views.ts';
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
  if (plan !== undefined && plan_id !== undefined)
    throw new AssayError('invalid_request', 'plan and plan_id are two plans', {
      advice: 'send one of them, or none for the recommended plan',
      details: { errors: [{ pointer: '/body/plan_id', message: 'a plan is given beside it' }] },
    });
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id);
  const { project, episodes } = loaded;
  const { learns_actions } = targetProfile(project.target_profile);
  const chosen =
    plan_id === undefined
      ? (plan ?? recommendPlan(episodes, learns_actions).plan)
      : await storedPlan(scope, project_id, plan_id);
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
      reason: 'the service trains nothing on subsets',
      advice:
        'assay probe PATH on a copy of the recordings; or train on an export of each subset and compare on episodes that none of them holds',
    },
    limits: [...composedOnly],
  };
}

async function storedPlan(scope: TenantScope, project_id: string, plan_id: string) {
  const row = await curationRows.getPlan(scope, project_id, plan_id);
  if (row === null) throw noPlan();
  return row.plan;
}

const howOf = ({ plan }: CurationReport): string =>
  `stages ${plan.stages.map(({ strategy }) => strategy).join(', ')}; seed ${plan.seed}`;
