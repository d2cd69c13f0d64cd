import { AssayError } from '#core';
import type { AblationInput } from '#core/api';
import { targetProfile } from '#quality/catalog';
import { recommendPlan } from '#quality/curation';
import { curationRows, type TenantScope } from '#store';
import type { LoadedEpisodes } from '../curation/load-episodes.ts';
import { noPlan } from '../curation/views.ts';

/** The plan that was sent, one that was applied, or else what is recommended. Throws `invalid_request`, `not_found`. */
export async function chosenPlan(
  scope: TenantScope,
  { project, episodes }: LoadedEpisodes,
  { plan, plan_id }: AblationInput,
) {
  if (plan !== undefined && plan_id !== undefined)
    throw new AssayError('invalid_request', 'plan and plan_id are two plans', {
      advice: 'send one of them, or none for the recommended plan',
      details: { errors: [{ pointer: '/body/plan_id', message: 'a plan is given beside it' }] },
    });
  if (plan_id === undefined)
    return plan ?? recommendPlan(episodes, targetProfile(project.target_profile).learns_actions).plan;
  const row = await curationRows.getPlan(scope, project.id, plan_id);
  if (row === null) throw noPlan();
  return row.plan;
}
