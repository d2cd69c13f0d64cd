import { z } from 'zod';
import { significant } from '#core';
import { squaredDistance, type Vectors, vectorsOf } from '../measures/vectors.ts';
import { defineStrategy } from '../strategy.ts';
import { measureParameter, tooFew } from './choosing.ts';

export const nearDuplicate = defineStrategy({
  id: 'near_duplicate',
  title: 'Near duplicates',
  about:
    'Drops an episode whose descriptor lies within `distance` of an earlier one that stays. Each dimension is divided by its standard deviation over the set, and the distance is the root of the mean square: 1 is the usual spread. Exact, not approximate.',
  source: null,
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    distance: z
      .number()
      .min(0)
      .max(2)
      .default(0.05)
      .describe('in standard deviations of the set; more drops more'),
  }),
  run({ episodes }, { by, distance }) {
    const vectors = vectorsOf(episodes, by);
    const few = tooFew(vectors);
    if (few !== null) return { not_assessable: few };
    const dropped = new Map<string, string>();
    for (const [i, { of, distance: apart }] of nearEarlier(vectors, distance))
      dropped.set(vectors.ids[i], `its ${by} is ${significant(apart, 2)} from that of ${vectors.ids[of]}`);
    return { dropped, not_assessable: vectors.missing };
  },
});

/**
 * For each point that lies within `distance` of one that comes before it: the nearest such one that is itself kept.
 * Points that were near an earlier one are not compared with later ones, so a chain of copies leaves its first.
 * Exact: points are sorted along their widest dimension, and only those within reach of each other there are compared.
 */
function nearEarlier(
  { dims, points, ids }: Pick<Vectors, 'dims' | 'points' | 'ids'>,
  distance: number,
): Map<number, { readonly of: number; readonly distance: number }> {
  const near = new Map<number, { of: number; distance: number }>();
  const most = distance * distance;
  const widest = widestDimension(points, dims, ids.length);
  const along = (i: number): number => points[i * dims + widest];
  const order = [...ids.keys()].sort((a, b) => along(a) - along(b) || a - b);
  const place = new Int32Array(ids.length);
  for (const [at, i] of order.entries()) place[i] = at;
  for (let i = 0; i < ids.length; i++) {
    let best: { of: number; distance: number } | null = null;
    for (const step of [-1, 1])
      for (let at = place[i] + step; at >= 0 && at < order.length; at += step) {
        const other = order[at];
        if (Math.abs(along(other) - along(i)) > distance) break;
        if (other > i || near.has(other)) continue;
        const squared = squaredDistance(points, dims, i, other, most);
        if (squared > most) continue;
        const found = Math.sqrt(squared);
        if (best === null || found < best.distance || (found === best.distance && other < best.of))
          best = { of: other, distance: found };
      }
    if (best !== null) near.set(i, best);
  }
  return near;
}

function widestDimension(points: Float32Array, dims: number, rows: number): number {
  let widest = 0;
  let most = -1;
  for (let d = 0; d < dims; d++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rows; i++) {
      low = Math.min(low, points[i * dims + d]);
      high = Math.max(high, points[i * dims + d]);
    }
    if (high - low > most) [widest, most] = [d, high - low];
  }
  return widest;
}
