import { squaredDistance, type Vectors } from './vectors.ts';

/**
 * Returns up to `count` rows of `among` that are nearest to `row`, excluding itself: nearest first, ties in the order
 * of `among`.
 */
export function nearestRows(
  { points, dims }: Pick<Vectors, 'points' | 'dims'>,
  row: number,
  among: readonly number[],
  count: number,
): { readonly row: number; readonly distance: number }[] {
  const distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const rows = new Int32Array(count).fill(-1);
  const last = count - 1;
  for (const other of among) {
    if (other === row) continue;
    const squared = squaredDistance(points, dims, row, other, distances[last]);
    if (squared >= distances[last]) continue;
    let at = last;
    for (; at > 0 && distances[at - 1] > squared; at--) {
      distances[at] = distances[at - 1];
      rows[at] = rows[at - 1];
    }
    distances[at] = squared;
    rows[at] = other;
  }
  return [...rows].flatMap((other, i) =>
    other < 0 ? [] : [{ row: other, distance: Math.sqrt(distances[i]) }],
  );
}
