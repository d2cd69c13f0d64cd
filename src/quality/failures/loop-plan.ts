import type { WrittenPlan } from '#quality/curation';

/** Stages that judge each episode by itself come before the boost: what they drop is not worth more. */
const filters: ReadonlySet<string> = new Set(['decision', 'score', 'flag', 'length']);

/** A plan in which these episodes are boosted, for every stage that chooses among sound ones. */
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
