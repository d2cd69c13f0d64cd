import type { CurationRecommendation } from '#core/api';
import { targetProfile } from '#quality/catalog';
import { recommendPlan } from '#quality/curation';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadEpisodes } from './load-episodes.ts';

/** A plan for the project's target and what its episodes show, with a reason for each stage. Throws `not_found`, `limit_exceeded`. */
export async function recommendCuration(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<CurationRecommendation> {
  requireRole(call, 'viewer');
  const { project, episodes } = await loadEpisodes(scopeOf(store, call), project_id);
  const { id, learns_actions } = targetProfile(project.target_profile);
  const recommended = recommendPlan(episodes, learns_actions);
  return JSON.parse(JSON.stringify({ project_id, target_profile: id, ...recommended }));
}
