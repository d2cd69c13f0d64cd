import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import { nearestRows } from '../measures/nearest-rows.ts';
import { projectToPrincipal } from '../measures/principal.ts';
import { computePoints } from '../measures/vectors.ts';
import { measureParameter, reportTooFewPoints } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const failureBoost = defineStrategy({
  id: 'failure_boost',
  title: strategyTitles.failure_boost,
  about:
    'Gives the weight `factor` to the `neighbours` successful episodes nearest to each failure: later selection stages keep them first, and the plan passes the weights to a sampler. Failures are the episodes in `failures`, or those whose outcome is failure. With `episodes`, these episodes are boosted instead, for example those nearest to failures elsewhere. Drops nothing.',
  source: null,
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    neighbours: z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('number of nearest episodes to boost per failure'),
    factor: z.number().min(1.01).max(100).default(2).describe('sampling weight of boosted episodes'),
    failures: z
      .array(z.string().min(1).max(500))
      .max(10_000)
      .default([])
      .describe('ids of failed episodes; empty: episodes whose outcome is failure'),
    episodes: z
      .array(z.string().min(1).max(5000))
      .max(20_000)
      .default([])
      .describe('ids of episodes to boost; empty: those nearest to the failures'),
  }),
  run({ episodes }, { by, neighbours, factor, failures, episodes: boostedIds }) {
    if (boostedIds.length > 0) {
      const boostedSet = new Set(boostedIds);
      return {
        boosts: new Map(episodes.flatMap(({ id }) => (boostedSet.has(id) ? [[id, factor] as const] : []))),
      };
    }
    const vectors = projectToPrincipal(computePoints(episodes, by));
    const unassessable = reportTooFewPoints(vectors);
    if (unassessable !== null) return { not_assessable: unassessable };
    const { ids, missing } = vectors;
    const failureIds = new Set(failures);
    const failed = new Set(
      episodes
        .filter(({ id, outcome }) => (failureIds.size > 0 ? failureIds.has(id) : outcome === 'failure'))
        .map(({ id }) => id),
    );
    const candidates = [...ids.keys()].filter((i) => !failed.has(ids[i]));
    const boosts = new Map<string, number>();
    for (const [i, id] of ids.entries()) {
      if (!failed.has(id)) continue;
      for (const { row } of nearestRows(vectors, i, candidates, neighbours)) boosts.set(ids[row], factor);
    }
    return { boosts, not_assessable: missing };
  },
});
