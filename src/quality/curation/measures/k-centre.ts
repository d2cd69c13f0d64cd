import { squaredDistance, type Vectors } from './vectors.ts';

/** Result of `kCentre`. */
export interface Centres {
  /** Chosen rows, in order of choice. */
  readonly chosen: readonly number[];
  /** Nearest chosen row of each row, and its distance. */
  readonly nearest: Int32Array;
  readonly distance: Float64Array;
}

/**
 * Chooses `count` rows as centres, all `initialRows` included, by repeatedly taking the row farthest from all
 * centres, and returns every row's nearest centre and distance. It is greedy k-centre (Gonzalez 1985), which covers
 * the set with at most twice the optimal radius. Without `initialRows` it starts from the point nearest to the mean.
 * The triangle inequality skips points that a new centre cannot be nearest to.
 */
export function kCentre(
  { points, dims, ids }: Pick<Vectors, 'points' | 'dims' | 'ids'>,
  count: number,
  initialRows: readonly number[],
): Centres {
  const rows = ids.length;
  const nearest = new Int32Array(rows).fill(-1);
  const distance = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  const isChosen = new Uint8Array(rows);
  /** Distance from the newest centre to each earlier one. */
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
  const starts =
    initialRows.length > 0 ? initialRows : rows > 0 && count > 0 ? [centralRow(points, dims, rows)] : [];
  for (const row of starts) choose(row);
  while (chosen.length < Math.min(count, rows)) {
    let farthest = -1;
    for (let i = 0; i < rows; i++)
      if (isChosen[i] === 0 && (farthest < 0 || distance[i] > distance[farthest])) farthest = i;
    choose(farthest);
  }
  return { chosen, nearest, distance };
}

/** Returns the row nearest to the mean of standardised points, which is 0. */
function centralRow(points: Float32Array, dims: number, rows: number): number {
  let best = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let d = 0; d < dims; d++) sum += points[i * dims + d] ** 2;
    if (sum < smallest) [best, smallest] = [i, sum];
  }
  return best;
}
