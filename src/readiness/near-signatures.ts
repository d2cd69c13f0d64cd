import { columnOf, spreadOf } from './robust.ts';

/** Fewer episodes do not show what is near for this dataset. */
const fewest = 8;
const near = 1e-3;

interface Signed {
  readonly signature?: readonly number[];
}

/**
 * For every signature that lies within `near` spreads of an earlier one of the same length in each number: which, and
 * how far. Sorted by the first projection, so that only neighbours are compared: n log n.
 */
export function findNearSignatures(rows: readonly Signed[]): Map<number, { of: number; distance: number }> {
  const found = new Map<number, { of: number; distance: number }>();
  if (rows.length < fewest) return found;
  const signatures = rows.map((row) => row.signature ?? []);
  const width = signatures[0].length;
  const spreads = Array.from({ length: width }, (_, k) => (k === 0 ? 0 : spreadOf(columnOf(signatures, k))));
  if (spreads.slice(1).every((spread) => spread === 0)) return found;
  const order = signatures.map((_, i) => i).sort((a, b) => signatures[a][1] - signatures[b][1] || a - b);
  for (let a = 0; a < order.length; a++) {
    for (let b = a + 1; b < order.length; b++) {
      const one = signatures[order[a]];
      const other = signatures[order[b]];
      if (other[1] - one[1] > near * spreads[1]) break;
      const distance = distanceOf(one, other, spreads);
      if (distance === null) continue;
      const later = Math.max(order[a], order[b]);
      const earlier = Math.min(order[a], order[b]);
      const known = found.get(later);
      if (known === undefined || earlier < known.of) found.set(later, { of: earlier, distance });
    }
  }
  return found;
}

/** Largest difference in spreads; null when the lengths or any number differ by more than `near`. */
function distanceOf(
  one: readonly number[],
  other: readonly number[],
  spreads: readonly number[],
): number | null {
  if (one[0] !== other[0]) return null;
  let largest = 0;
  for (let k = 1; k < spreads.length; k++) {
    const difference = Math.abs(one[k] - other[k]);
    if (difference > near * spreads[k]) return null;
    if (spreads[k] > 0) largest = Math.max(largest, difference / spreads[k]);
  }
  return largest;
}
