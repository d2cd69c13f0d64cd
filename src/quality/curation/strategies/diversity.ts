import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { kCentre } from '../measures/k-centre.ts';
import { projectToPrincipal } from '../measures/principal.ts';
import { computePoints } from '../measures/vectors.ts';
import { computeKeepCount, keepShare, measureParameter, reportTooFewPoints } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const diversity = defineStrategy({
  id: 'diversity',
  title: strategyTitles.diversity,
  about:
    'Greedy k-centre selection: starts from the most central episode (or the boosted ones) and repeatedly adds the episode farthest from all selected ones, until the share `keep` is reached. Distances use the first 16 principal components. Prefers unusual episodes, so remove outliers first.',
  source:
    'Gonzalez 1985, Clustering to minimize the maximum intercluster distance; Sener and Savarese 2018, arXiv 1708.00489',
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({ by: measureParameter('motion'), keep: keepShare(0.5) }),
  run({ episodes, boosts }, { by, keep }) {
    const vectors = projectToPrincipal(computePoints(episodes, by));
    const unassessable = reportTooFewPoints(vectors);
    if (unassessable !== null) return { not_assessable: unassessable };
    const { ids, missing } = vectors;
    const boostedRows = [...ids.keys()].filter((i) => boosts.has(ids[i]));
    const { chosen, nearest, distance } = kCentre(vectors, computeKeepCount(keep, ids.length), boostedRows);
    const selectedRows = new Set(chosen);
    const dropped = new Map<string, string>();
    for (const [i, id] of ids.entries())
      if (!selectedRows.has(i))
        dropped.set(id, `similar ${by} as ${ids[nearest[i]]} (distance ${significant(distance[i], 2)})`);
    return { dropped, not_assessable: missing };
  },
});
