import type { Series } from '#core/episode';
import type { DimensionLeap, DimensionLeaps } from './dimension-leaps.ts';

/** From `row` on the numbers are `factor` times what they were before, as when degrees follow radians. */
export interface UnitChange {
  readonly row: number;
  readonly factor: number;
  readonly dimensions: number;
}

/** Degrees per radian, millimetres and centimetres per metre. */
const knownFactors = [180 / Math.PI, 1000, 100];
const leastFactor = 4;

/**
 * The row where several dimensions leap by one common factor, x[row] ≈ factor · x[row−1], and go on moving on that
 * larger (or smaller) scale. One dimension alone counts when the factor is a known one. Null without such a row.
 */
export function unitChange(series: Series, samples: number, { leaps }: DimensionLeaps): UnitChange | null {
  const tried = new Set<number>();
  for (const { row } of leaps) {
    if (tried.has(row) || row < 3 || row > samples - 3) continue;
    tried.add(row);
    const factor = commonFactor(series, row, leaps);
    if (factor === null || !lasts(series, samples, row, factor, leaps)) continue;
    const dimensions = leaps.filter((leap) => leap.row === row).length;
    return { row, factor, dimensions };
  }
  return null;
}

/** Least-squares factor over the dimensions that leap at the row, when it explains them and is far from one. */
function commonFactor({ values, dims }: Series, row: number, leaps: readonly DimensionLeap[]): number | null {
  let cross = 0;
  let before = 0;
  let after = 0;
  let count = 0;
  for (const leap of leaps) {
    if (leap.row !== row) continue;
    const x = values[(row - 1) * dims + leap.dimension];
    const y = values[row * dims + leap.dimension];
    cross += x * y;
    before += x * x;
    after += y * y;
    count++;
  }
  if (!(before > 0 && after > 0)) return null;
  const factor = cross / before;
  const unexplained = 1 - (cross * cross) / (before * after);
  const size = factor < 1 ? 1 / factor : factor;
  if (!(factor > 0) || size < leastFactor || unexplained > 0.01) return null;
  return count > 1 || knownFactors.some((known) => Math.abs(size / known - 1) < 0.04) ? factor : null;
}

/** Do the steps keep the new scale? */
function lasts(
  { values, dims }: Series,
  samples: number,
  row: number,
  factor: number,
  leaps: readonly DimensionLeap[],
): boolean {
  const reach = 64;
  let before = 0;
  let after = 0;
  for (const { dimension, row: at } of leaps) {
    if (at !== row) continue;
    for (let i = Math.max(1, row - reach); i < row; i++)
      before += Math.abs(values[i * dims + dimension] - values[(i - 1) * dims + dimension]);
    for (let i = row + 1; i <= Math.min(samples - 1, row + reach); i++)
      after += Math.abs(values[i * dims + dimension] - values[(i - 1) * dims + dimension]);
  }
  const left = row - Math.max(1, row - reach);
  const right = Math.min(samples - 1, row + reach) - row;
  const ratio = after / right / (before / left);
  return factor > 1 ? ratio > Math.sqrt(factor) : ratio < Math.sqrt(factor);
}
