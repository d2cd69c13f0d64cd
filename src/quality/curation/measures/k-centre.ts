import { squaredDistance, type Vectors } from './vectors.ts';

export interface Centres {
  /** Rows in the order in which they were chosen. */
  readonly chosen: readonly number[];
  /** By row: the chosen one that is nearest, and how far. */
  readonly nearest: Int32Array;
  readonly distance: Float64Array;
}

/**
 * Greedy k-centre (Gonzalez 1985): the point farthest from all chosen ones comes next, which covers the set with at
 * most twice the best possible radius. `given` are chosen already. A new centre is compared only with points that the
 * triangle inequality lets it be nearer to.
 */
export function kCentre(
  { points, dims, ids }: Pick<Vectors, 'points' | 'dims' | 'ids'>,
  count: number,
  given: readonly number[],
): Centres {
  const rows = ids.length;
  const nearest = new Int32Array(rows).fill(-1);
  const distance = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  const isChosen = new Uint8Array(rows);
  /** From the newest centre to each before it. */
  const toCentre = new Float64Array(rows);
  const chosen: number[] = [];
  const choose = (row: number): void => {
    isChosen[row] = 1;
    for (const centre of chosen) toCentre[centre] = Math.sqrt(squaredDistance(points, dims, row, centre));
    for (let i = 0; i < rows; i++) {
      if (nearest[i] >= 0 && toCentre[nearest[i]] >= 2 * distance[i]) continue;
      const found = Math.sqrt(squaredDistance(points, dims, row, i, distance[i] * distance[i]));
      if (found < distance[i]) {
        distance[i] = found;
        nearest[i] = row;
      }
    }
    chosen.push(row);
  };
  const starts = given.length > 0 ? given : rows > 0 && count > 0 ? [mostCentral(points, dims, rows)] : [];
  for (const row of starts) choose(row);
  while (chosen.length < Math.min(count, rows)) {
    let farthest = -1;
    for (let i = 0; i < rows; i++)
      if (isChosen[i] === 0 && (farthest < 0 || distance[i] > distance[farthest])) farthest = i;
    choose(farthest);
  }
  return { chosen, nearest, distance };
}

/** The point nearest to the mean, which is 0. */
function mostCentral(points: Float32Array, dims: number, rows: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let d = 0; d < dims; d++) sum += points[i * dims + d] ** 2;
    if (sum < least) [best, least] = [i, sum];
  }
  return best;
}
