import { z } from 'zod';
import { sampleEvenly, significant } from '#core';
import { strategyTitles } from '#core/titles';
import type { CurationEpisode } from '../curation-episode.ts';
import { projectToPrincipal } from '../measures/principal.ts';
import { computePoints, nearestRows, shuffled, squaredDistance, type Vectors } from '../measures/vectors.ts';
import { measureParameter, reportTooFewPoints } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const exactDuplicate = defineStrategy({
  id: 'exact_duplicate',
  title: strategyTitles.exact_duplicate,
  about:
    'Keeps one of the episodes with the same SHA-256 over all numeric data (or over the images, if there is none): the one with the best decision, then the best score, then the first id.',
  source: null,
  needs: ['content_hash'],
  parameters: z.strictObject({}),
  run({ episodes }) {
    const dropped = new Map<string, string>();
    const not_assessable = new Map<string, string>();
    const best = new Map<string, CurationEpisode>();
    for (const episode of episodes) {
      const { id, content_hash } = episode;
      if (content_hash === undefined) {
        not_assessable.set(id, 'no content hash');
        continue;
      }
      const other = best.get(content_hash);
      if (other === undefined || pickBetter(episode, other) === episode) best.set(content_hash, episode);
    }
    for (const { id, content_hash } of episodes) {
      const bestId = content_hash === undefined ? undefined : best.get(content_hash);
      if (bestId !== undefined && bestId.id !== id) dropped.set(id, `same content as ${bestId.id}`);
    }
    return { dropped, not_assessable };
  },
});

const decisionRank = { accept: 2, review: 1, reject: 0 } as const;

/** Returns the episode with the better decision, then the better score; `first` if equal. */
function pickBetter(one: CurationEpisode, first: CurationEpisode): CurationEpisode {
  const ahead =
    decisionRank[one.decision] - decisionRank[first.decision] || (one.score ?? -1) - (first.score ?? -1);
  return ahead > 0 ? one : first;
}

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

/** Maximum number of randomly drawn episodes that each episode is compared with. */
const maxOutlierSample = 1000;
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
    const compared = sampleEvenly(shuffled([...vectors.ids.keys()], random), maxOutlierSample);
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
