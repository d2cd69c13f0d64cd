import type { Probe, ProbeInput } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { computePlan } from '../curation/compute-plan.ts';
import { loadEpisodes } from '../curation/load-episodes.ts';
import { frameService } from '../episodes/frames/frame-service.ts';
import { chosenPlan } from './chosen-plan.ts';

/**
 * What small policies learn from all of a project's episodes, from the accepted ones and from those that a plan keeps;
 * computed in a thread, and as a folder of the same episodes is. Throws `not_found`, `invalid_request`, `limit_exceeded`,
 * `busy`.
 */
export async function runProjectProbe(
  store: Store,
  call: Call,
  { project_id, plan, plan_id, seed, folds, window }: ProbeInput & { readonly project_id: string },
): Promise<Probe> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id);
  const chosen = await chosenPlan(scope, loaded, { plan, plan_id });
  const { kept, plan_hash, plan: run } = await computePlan(store, chosen, loaded, '/body/plan');
  const names = new Map([...loaded.ids].map(([name, id]) => [id, name]));
  const stages = run.stages.map(({ strategy }) => strategy).join(', ');
  const recommended = plan === undefined && plan_id === undefined ? 'recommended ' : '';
  const curated = {
    kept: kept.map((id) => names.get(id) ?? id),
    how: `${recommended}plan ${plan_hash.slice(0, 8)}: ${stages}`,
  };
  const options = { seed, folds, window, curated };
  const result = await frameService(store).readers.do({ type: 'probe', episodes: loaded.episodes, options });
  return JSON.parse(JSON.stringify({ project_id, result }));
}
