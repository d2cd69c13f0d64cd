import { z } from 'zod';
import { significant, spread } from '#core';
import { nearestRows } from '../measures/nearest-rows.ts';
import { principal } from '../measures/principal.ts';
import { shuffled } from '../measures/shuffle.ts';
import { vectorsOf } from '../measures/vectors.ts';
import { defineStrategy } from '../strategy.ts';
import { measureParameter, tooFew } from './choosing.ts';

/** Others that each episode is compared with at most, drawn by the seed. */
const mostCompared = 1000;
/** Scales a median absolute deviation to a standard deviation of normal numbers. */
const normalScale = 1.4826;

export const outlier = defineStrategy({
  id: 'outlier',
  title: 'Outliers',
  about:
    'The mean distance to the `neighbours` nearest of up to 1,000 other episodes drawn by the seed, as a robust standard score (difference to the median over 1.4826 times the median absolute deviation). Drops what scores above `limit`. Distances are taken along the 16 directions in which the set differs most.',
  source:
    'Ramaswamy, Rastogi and Shim 2000, distance-based outliers; Iglewicz and Hoaglin 1993 for the limit of 3.5',
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    neighbours: z.int().min(1).max(50).default(5).describe('nearest episodes that count'),
    limit: z.number().min(1).max(20).default(3.5).describe('robust standard score; less drops more'),
  }),
  run({ episodes, random }, { by, neighbours, limit }) {
    const vectors = principal(vectorsOf(episodes, by));
    const few = tooFew(vectors);
    if (few !== null) return { not_assessable: few };
    const compared = spread(shuffled([...vectors.ids.keys()], random), mostCompared);
    const distances = vectors.ids.map((_, i) => {
      const nearest = nearestRows(vectors, i, compared, neighbours);
      return nearest.reduce((sum, { distance }) => sum + distance, 0) / nearest.length;
    });
    const centre = medianOf(distances);
    const deviation = normalScale * medianOf(distances.map((distance) => Math.abs(distance - centre)));
    const dropped = new Map<string, string>();
    // Without spread, whatever differs at all would be infinitely far.
    if (deviation > 1e-9)
      for (const [i, distance] of distances.entries()) {
        const scored = (distance - centre) / deviation;
        if (scored > limit)
          dropped.set(
            vectors.ids[i],
            `its ${by} is far from all others: ${significant(scored, 3)} above ${limit}`,
          );
      }
    return { dropped, not_assessable: vectors.missing };
  },
});

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
