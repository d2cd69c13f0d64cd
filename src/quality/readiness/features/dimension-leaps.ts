import type { Series, Stream } from '#core/episode';
import type { StreamFeatures } from './stream-features.ts';

/** The largest bend of one dimension, if it stands out from the motion around it. */
export interface DimensionLeap {
  readonly dimension: number;
  /** Row that the larger of the two steps at the bend leads into. */
  readonly row: number;
  /**
   * |bend| divided by the sum of the dimension's 98th-percentile bend and the largest other bend within ten
   * rows.
   */
  readonly isolation: number;
  /** |bend| divided by the dimension's range. */
  readonly share: number;
}

/** Isolated leaps of a stream. */
export interface DimensionLeaps {
  /** Number of dimensions that move and are not switches. */
  readonly active: number;
  readonly leaps: readonly DimensionLeap[];
}

/** Minimum isolation of a leap; half of all clean dimensions of real arms stay under 1.2. */
const minIsolation = 2;
/**
 * Minimum range of a dimension as a fraction of the widest (less is noise), and minimum bend as a fraction of
 * the range.
 */
const minRangeFraction = 0.05;
const minBendFraction = 0.02;
/** Minimum number of samples; in shorter streams no bend stands out. */
const minSamples = 30;

/**
 * Finds the largest isolated leap of each dimension of a stream, if it has one; ignores switches, all of whose moves
 * are leaps, and dimensions that hardly move. Only the largest bend is examined, at a cost of some twenty values per
 * dimension.
 */
export function findDimensionLeaps(stream: Stream, features: StreamFeatures): DimensionLeaps {
  const { columns, dims, samples } = features;
  const leaps: DimensionLeap[] = [];
  if (samples < minSamples) return { active: 0, leaps };
  let active = 0;
  const widest = computeWidestRange(features);
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > minRangeFraction * widest) || isSwitch(features, d)) continue;
    active++;
    const bend = columns.bend_max[d];
    const size = Math.min(1, bend / range / minBendFraction);
    if (bend * size < minIsolation * columns.bend_p98[d]) continue;
    const middle = columns.bend_max_row[d];
    const isolation = (size * bend) / (columns.bend_p98[d] + findMaxBendAround(stream, d, middle, samples));
    if (isolation < minIsolation) continue;
    leaps.push({ dimension: d, row: findLeapRow(stream, d, middle), isolation, share: bend / range });
  }
  return { active, leaps };
}

/** Returns the largest range of a dimension of the stream. */
export function computeWidestRange({ columns, dims }: StreamFeatures): number {
  let widest = 0;
  for (let d = 0; d < dims; d++) widest = Math.max(widest, columns.maximum[d] - columns.minimum[d]);
  return widest;
}

/**
 * Returns `true` if a dimension is a switch: it seldom changes, and then crosses a large part of its range at
 * once.
 */
export function isSwitch({ columns, samples }: StreamFeatures, d: number): boolean {
  const range = columns.maximum[d] - columns.minimum[d];
  const changes = samples - 1 - columns.zero_steps[d];
  return changes < 0.2 * samples && columns.step_mean[d] * (samples - 1) > 0.12 * range * changes;
}

/**
 * Returns the largest bend 5 to 10 rows before and after `middle`. Nearer rows are excluded, since a spike of
 * three samples has five bends of its own.
 */
function findMaxBendAround(stream: Stream, d: number, middle: number, samples: number): number {
  const { values, dims } = stream.series!;
  let sharpest = 0;
  const to = Math.min(samples - 2, middle + 10);
  for (let i = Math.max(1, middle - 10); i <= to; i++) {
    if (i >= middle - 4 && i <= middle + 4) continue;
    const at = i * dims + d;
    const bend = Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]);
    if (bend > sharpest && bend < Infinity) sharpest = bend;
  }
  return sharpest;
}

function findLeapRow(stream: Stream, d: number, middle: number): number {
  const { values, dims } = stream.series!;
  const at = middle * dims + d;
  const into = Math.abs(values[at] - values[at - dims]);
  const outOf = Math.abs(values[at + dims] - values[at]);
  return into >= outOf ? middle : middle + 1;
}

/**
 * Change of unit: from `row` on, values are `factor` times larger than before, as when degrees follow
 * radians.
 */
export interface UnitChange {
  readonly row: number;
  readonly factor: number;
  readonly dimensions: number;
}

/** Common conversion factors: degrees per radian, millimetres and centimetres per metre. */
const knownFactors = [180 / Math.PI, 1000, 100];
const minFactor = 4;

/**
 * Finds the first row where several dimensions leap by one common factor, x[row] ≈ factor · x[row−1], and keep moving
 * on the new scale; `null` if there is none. A single dimension counts only if the factor is a common conversion
 * factor.
 */
export function findUnitChange(
  series: Series,
  samples: number,
  { leaps }: DimensionLeaps,
): UnitChange | null {
  const tried = new Set<number>();
  for (const { row } of leaps) {
    if (tried.has(row) || row < 3 || row > samples - 3) continue;
    tried.add(row);
    const factor = fitCommonFactor(series, row, leaps);
    if (factor === null || !scalePersists(series, samples, row, factor, leaps)) continue;
    const dimensions = leaps.filter((leap) => leap.row === row).length;
    return { row, factor, dimensions };
  }
  return null;
}

/**
 * Fits the least-squares factor over the dimensions that leap at the row; `null` unless it explains them and
 * is far from 1.
 */
function fitCommonFactor(
  { values, dims }: Series,
  row: number,
  leaps: readonly DimensionLeap[],
): number | null {
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
  if (!(factor > 0) || size < minFactor || unexplained > 0.01) return null;
  return count > 1 || knownFactors.some((known) => Math.abs(size / known - 1) < 0.04) ? factor : null;
}

/** Returns `true` if the steps after the row keep the new scale. */
function scalePersists(
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
