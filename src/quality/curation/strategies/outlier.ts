import { z } from 'zod';
import { sampleEvenly, significant } from '#core';
import { strategyTitles } from '#core/titles';
import { nearestRows } from '../measures/nearest-rows.ts';
import { projectToPrincipal } from '../measures/principal.ts';
import { shuffled } from '../measures/shuffle.ts';
import { computePoints } from '../measures/vectors.ts';
import { measureParameter, reportTooFewPoints } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

/** Maximum number of randomly drawn episodes that each episode is compared with. */
const maxCompared = 1000;
/** Ratio of standard deviation to median absolute deviation for a normal distribution. */
const normalScale = 1.4826;

export const outlier = defineStrategy({
  id: 'outlier',
  title: strategyTitles.outlier,
  about:
    'Computes the mean distance to the `neighbours` nearest of up to 1,000 randomly drawn other episodes, as a robust z-score (difference to the median divided by 1.4826 times the median absolute deviation), and drops episodes above `limit`. Distances use the first 16 principal components.',
  source:
    'Ramaswamy, Rastogi and Shim 2000, distance-based outliers; Iglewicz and Hoaglin 1993 for the limit of 3.5',
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    neighbours: z.int().min(1).max(50).default(5).describe('number of nearest episodes'),
    limit: z.number().min(1).max(20).default(3.5).describe('robust z-score; lower values drop more'),
  }),
  run({ episodes, random }, { by, neighbours, limit }) {
    const vectors = projectToPrincipal(computePoints(episodes, by));
    const unassessable = reportTooFewPoints(vectors);
    if (unassessable !== null) return { not_assessable: unassessable };
    const compared = sampleEvenly(shuffled([...vectors.ids.keys()], random), maxCompared);
    const distances = vectors.ids.map((_, i) => {
      const nearest = nearestRows(vectors, i, compared, neighbours);
      return nearest.reduce((sum, { distance }) => sum + distance, 0) / nearest.length;
    });
    const centre = computeMedian(distances);
    const deviation = normalScale * computeMedian(distances.map((distance) => Math.abs(distance - centre)));
    const dropped = new Map<string, string>();
    // Without spread, any difference would give an infinite score.
    if (deviation > 1e-9)
      for (const [i, distance] of distances.entries()) {
        const scored = (distance - centre) / deviation;
        if (scored > limit)
          dropped.set(
            vectors.ids[i],
            `${by} is an outlier: robust z-score ${significant(scored, 3)} is above ${limit}`,
          );
      }
    return { dropped, not_assessable: vectors.missing };
  },
});

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
