import type { DistributionGap } from '#core/api';
import { findGaps } from '#quality/curation';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadEpisodes } from '../curation/load-episodes.ts';
import { composedOnly } from './limits.ts';

/** What the data under-covers, the most missing first. Throws `not_found`, `limit_exceeded`. */
export async function getDistributionGap(
  store: Store,
  call: Call,
  {
    project_id,
    least_episodes,
  }: { readonly project_id: string; readonly least_episodes?: number | undefined },
): Promise<DistributionGap> {
  requireRole(call, 'viewer');
  const { episodes } = await loadEpisodes(scopeOf(store, call), project_id);
  const { gaps, covered, not_assessable, ...rest } = findGaps(episodes, least_episodes ?? null);
  return {
    project_id,
    expected:
      least_episodes === undefined
        ? { by: 'own_spread', how: 'every part of an aspect as many episodes as the others' }
        : { by: 'declared', how: `${least_episodes} episodes in every part` },
    gaps: gaps.map((gap) => ({ ...gap })),
    covered: [...covered],
    not_assessable: [...not_assessable],
    ...rest,
    limits: [...composedOnly, 'what the set does not have at all is found only against a declared target'],
  };
}
