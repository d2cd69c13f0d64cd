import type { WrittenPlan } from '#quality/curation';

/**
 * Strategies that filter episodes one by one; they run before the boost, so that dropped episodes are not boosted.
 */
const filters: ReadonlySet<string> = new Set(['held_out', 'decision', 'score', 'flag', 'length']);

/**
 * Returns a copy of the plan with a `failure_boost` stage for these episodes, inserted before the first stage that is
 * not a filter.
 */
export function loopPlan(
  base: WrittenPlan,
  episodes: readonly string[],
  factor: number,
): WrittenPlan & { readonly stages: WrittenPlan['stages'] } {
  const from = base.stages.findIndex(({ strategy }) => !filters.has(strategy));
  const at = from < 0 ? base.stages.length : from;
  const boost = { strategy: 'failure_boost', parameters: { episodes: [...episodes], factor } };
  return { ...base, stages: [...base.stages.slice(0, at), boost, ...base.stages.slice(at)] };
}
