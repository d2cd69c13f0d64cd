import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { computePoints, squaredDistance, type Vectors } from '../measures/vectors.ts';
import { measureParameter, reportTooFewPoints } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const nearDuplicate = defineStrategy({
  id: 'near_duplicate',
  title: strategyTitles.near_duplicate,
  about:
    'Drops an episode whose descriptor is within `distance` of an earlier episode that is kept. Each dimension is divided by its standard deviation over the dataset; the distance is the root mean square difference, so 1 is the typical spread. Exact search, not approximate.',
  source: null,
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    distance: z
      .number()
      .min(0)
      .max(2)
      .default(0.05)
      .describe('in standard deviations of the dataset; higher values drop more'),
  }),
  run({ episodes }, { by, distance }) {
    const vectors = computePoints(episodes, by);
    const unassessable = reportTooFewPoints(vectors);
    if (unassessable !== null) return { not_assessable: unassessable };
    const dropped = new Map<string, string>();
    for (const [i, { of, distance: apart }] of nearEarlier(vectors, distance))
      dropped.set(vectors.ids[i], `${by} distance ${significant(apart, 2)} to ${vectors.ids[of]}`);
    return { dropped, not_assessable: vectors.missing };
  },
});

/**
 * Maps each point within `distance` of an earlier one to the nearest such point that is itself kept. A chain of copies
 * keeps its first, because points that are near an earlier one are not compared with later ones. Exact: sorts the points
 * along their widest dimension and compares only those within `distance` there.
 */
function nearEarlier(
  { dims, points, ids }: Pick<Vectors, 'dims' | 'points' | 'ids'>,
  distance: number,
): Map<number, { readonly of: number; readonly distance: number }> {
  const nearestEarlier = new Map<number, { of: number; distance: number }>();
  const maxSquaredDistance = distance * distance;
  const widest = widestDimension(points, dims, ids.length);
  const along = (i: number): number => points[i * dims + widest];
  const order = [...ids.keys()].sort((a, b) => along(a) - along(b) || a - b);
  const rank = new Int32Array(ids.length);
  for (const [at, i] of order.entries()) rank[i] = at;
  for (let i = 0; i < ids.length; i++) {
    let best: { of: number; distance: number } | null = null;
    for (const step of [-1, 1])
      for (let at = rank[i] + step; at >= 0 && at < order.length; at += step) {
        const other = order[at];
        if (Math.abs(along(other) - along(i)) > distance) break;
        if (other > i || nearestEarlier.has(other)) continue;
        const squared = squaredDistance(points, dims, i, other, maxSquaredDistance);
        if (squared > maxSquaredDistance) continue;
        const found = Math.sqrt(squared);
        if (best === null || found < best.distance || (found === best.distance && other < best.of))
          best = { of: other, distance: found };
      }
    if (best !== null) nearestEarlier.set(i, best);
  }
  return nearestEarlier;
}

function widestDimension(points: Float32Array, dims: number, rows: number): number {
  let widest = 0;
  let bestRow = -1;
  for (let d = 0; d < dims; d++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rows; i++) {
      low = Math.min(low, points[i * dims + d]);
      high = Math.max(high, points[i * dims + d]);
    }
    if (high - low > bestRow) [widest, bestRow] = [d, high - low];
  }
  return widest;
}
