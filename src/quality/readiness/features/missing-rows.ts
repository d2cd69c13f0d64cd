import type { Stream } from '#core/episode';
import { keepLargest, type Span } from './clock-features.ts';
import { getColumns } from './columns.ts';
import { computeWidestRange, type DimensionLeaps, isSwitch } from './dimension-leaps.ts';
import { scratchBuffer, selectStrongest } from './numeric.ts';
import type { StreamFeatures } from './stream-features.ts';

/**
 * Signs of missing rows in the signals, for recordings whose timestamps cannot show them. A removed row makes
 * the next one leap in every stream of the table at once, while the noise of sensors and commands is
 * independent.
 */
export interface MissingRows {
  /** Number of rows at which both streams moved, and at which both leapt. */
  readonly moving: number;
  readonly leaping: number;
  /** The largest common leaps, at most 8, in time order; `size` is the number of missing samples. */
  readonly leaps: readonly Span[];
}

/**
 * Minimum leap above 1 at 30 Hz. 1 is steady motion, 2 is one missing row; acceleration seldom reaches 1.4 in
 * both streams at one row.
 */
const minLeapExcess = 0.4;
const referenceRate_hz = 30;
/** Minimum squared speed of a moving row, as a fraction of the stream's mean. */
const minSpeedFraction = 0.5;

/**
 * Counts the rows at which both streams of one table move, and those at which both leap at once; `null` if their
 * lengths differ, or a stream is too short or has no smooth dimension. Row i of `a` was written with row i of `b`.
 * Lists the largest leaps in order of rows.
 */
export function measureMissingRows(
  a: Stream,
  featuresA: StreamFeatures,
  b: Stream,
  featuresB: StreamFeatures,
): MissingRows | null {
  const n = featuresA.samples;
  if (n !== featuresB.samples) return null;
  const leapsOfA = measureRowLeaps(a, featuresA, 'leaps-a');
  const leapsOfB = leapsOfA === null ? null : measureRowLeaps(b, featuresB, 'leaps-b');
  if (leapsOfA === null || leapsOfB === null) return null;
  const minLeap = 1 + minLeapExcess * computeCoarseness(a, featuresA);
  const floorA = minSpeedFraction * leapsOfA.mean_speed;
  const floorB = minSpeedFraction * leapsOfB.mean_speed;
  const leaps: Span[] = [];
  let moving = 0;
  let leaping = 0;
  for (let i = 3; i < n - 2; i++) {
    const speedA = leapsOfA.speed[i];
    const speedB = leapsOfB.speed[i];
    if (!(speedA > floorA && speedB > floorB)) continue;
    moving++;
    const leapA = leapsOfA.leap[i];
    const leapB = leapsOfB.leap[i];
    if (leapA < minLeap * speedA || leapB < minLeap * speedB) continue;
    leaping++;
    const common = Math.min(leapA / speedA, leapB / speedB);
    keepLargest(leaps, { from: i - 1, to: i, size: common - 1 });
  }
  leaps.sort((x, y) => x.from - y.from);
  return { moving, leaping, leaps };
}

/**
 * Returns the step between rows in units of 1/30 s, at least 1, by the declared rate or else the median step. Between
 * rows that lie further apart a robot accelerates more.
 */
export function computeCoarseness({ declared_rate_hz }: Stream, { median_step_s }: StreamFeatures): number {
  const step_s = declared_rate_hz === null ? (median_step_s ?? 0) : 1 / declared_rate_hz;
  return Math.max(1, step_s * referenceRate_hz);
}

/** A row where many dimensions of both streams leap at once. */
export interface CommonLeap {
  readonly row: number;
  /** Fraction of the moving dimensions that leap there, in the stream where it is smaller. */
  readonly share: number;
  readonly isolation: number;
}

/**
 * Minimum number of dimensions per stream that leap at once; a single joint that jumps in command and state
 * is a jump, not a missing row.
 */
const minDimensionsAtOnce = 2;

/**
 * Finds the row where at least `minDimensionsAtOnce` dimensions of both streams leap at once, as after a block of
 * missing rows; the one with the most isolated leaps in most dimensions, `null` if there is none.
 */
export function findCommonLeap(a: DimensionLeaps, b: DimensionLeaps): CommonLeap | null {
  let best: CommonLeap | null = null;
  for (const { row } of a.leaps) {
    const inA = countLeapsAt(a, row);
    const inB = countLeapsAt(b, row);
    if (inA.count < minDimensionsAtOnce || inB.count < minDimensionsAtOnce) continue;
    const share = Math.min(inA.count / a.active, inB.count / b.active);
    const isolation = Math.min(inA.isolation, inB.isolation);
    if (best === null || share * isolation > best.share * best.isolation) best = { row, share, isolation };
  }
  return best;
}

function countLeapsAt({ leaps }: DimensionLeaps, row: number): { count: number; isolation: number } {
  let count = 0;
  let isolation = 0;
  for (const leap of leaps) {
    if (leap.row !== row) continue;
    count++;
    if (leap.isolation > isolation) isolation = leap.isolation;
  }
  return { count, isolation };
}

/** Number of steps on each side that the step into a row is compared with. */
const jumpReach = 5;
/** Minimum ratio of a jump to the largest of these steps. */
const minJumpRatio = 2;
/** Minimum size of a jump, as a fraction of the dimension's range: several encoder steps. */
const minJumpShare = 0.03;
/** Minimum range of a dimension that counts, as a fraction of the widest one of the stream. */
const minJumpRange = 0.1;
/** Minimum fraction of these dimensions that jump at one row; a person moves two fingers at once. */
const minJumpingShare = 0.3;

/**
 * Finds the rows at which a third of the dimensions of both streams jump, and at least two, as spans from the row
 * before; empty if the streams differ in length. A jump is at least twice as far as each of the moves in the five
 * rows before and after. Several such rows show several gaps, each of which hides the others from `findCommonLeap`.
 */
export function findCommonJumps(
  a: Stream,
  featuresA: StreamFeatures,
  b: Stream,
  featuresB: StreamFeatures,
): Span[] {
  if (featuresA.samples !== featuresB.samples) return [];
  const rowsOfB = new Set(findJumps(b, featuresB));
  return findJumps(a, featuresA)
    .filter((row) => rowsOfB.has(row))
    .map((row) => ({ from: row - 1, to: row, size: 1 }));
}

/** Returns the rows of one stream at which enough dimensions jump, in order; switches are left out. */
function findJumps(stream: Stream, features: StreamFeatures): number[] {
  const { columns, dims, samples } = features;
  if (stream.series === undefined) return [];
  const series = getColumns(stream.series);
  const widest = computeWidestRange(features);
  const counts = new Map<number, number>();
  let active = 0;
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (!(range > minJumpRange * widest) || isSwitch(features, d)) continue;
    active++;
    const base = series.at(d);
    const stepInto = (row: number) => Math.abs(series.buffer[base + row] - series.buffer[base + row - 1]);
    for (let row = jumpReach + 1; row < samples - jumpReach; row++) {
      const step = stepInto(row);
      if (!(step > minJumpShare * range)) continue;
      let largest = 0;
      for (let k = 1; k <= jumpReach; k++) largest = Math.max(largest, stepInto(row - k), stepInto(row + k));
      if (step >= minJumpRatio * largest) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
  }
  const least = Math.max(minDimensionsAtOnce, minJumpingShare * active);
  return [...counts].flatMap(([row, count]) => (count >= least ? [row] : [])).sort((x, y) => x - y);
}

/**
 * Distance of each row from the previous one, in units of the surrounding motion: the step into row i
 * projected on the mean of the two steps before and the two after, over the stream's smooth dimensions, each
 * weighted by its root-mean-square step. Steady motion gives 1; k rows missing just before row i give about 1
 * + k.
 */
interface RowLeaps {
  /** Leap · speed of rows 3..samples−3. Valid until the next stream with the same slot is measured. */
  readonly leap: Float64Array;
  /** Squared speed around each row, to tell motion from rest. */
  readonly speed: Float64Array;
  readonly mean_speed: number;
}

const maxDimensions = 4;
/** Limits for smooth dimensions: fraction of repeated values, and squared ratio of bends to steps. */
const maxRepeatShare = 0.3;
const maxRoughness = 1;

function measureRowLeaps(stream: Stream, features: StreamFeatures, slot: string): RowLeaps | null {
  const { series } = stream;
  const n = features.samples;
  if (series === undefined || n < 12) return null;
  const chosen = selectSmoothDimensions(features);
  if (chosen.length === 0) return null;
  const leap = scratchBuffer(`${slot}-leap`, n);
  const speed = scratchBuffer(`${slot}-speed`, n);
  const columns = getColumns(series);
  let total = 0;
  chosen.forEach((d, k) => {
    const weight = 1 / features.columns.step_rms[d] ** 2;
    total += addDimensionLeaps(columns.buffer, columns.at(d), n, weight, leap, speed, k === 0);
  });
  return { leap, speed, mean_speed: total / Math.max(1, n - 5) };
}

function selectSmoothDimensions({ columns, samples, dims }: StreamFeatures): number[] {
  return selectStrongest(dims, maxDimensions, (d) => {
    if (columns.step_rms[d] === 0 || columns.non_finite[d] > 0) return 0;
    if (columns.zero_steps[d] > maxRepeatShare * samples) return 0;
    return maxRoughness - (columns.bend_rms[d] / columns.step_rms[d]) ** 2;
  });
}

/**
 * Adds one dimension's contribution to every row (`first` overwrites); returns the sum of the squared speeds
 * it added.
 */
function addDimensionLeaps(
  x: Float64Array,
  base: number,
  n: number,
  weight: number,
  leap: Float64Array,
  speed: Float64Array,
  first: boolean,
): number {
  let total = 0;
  for (let i = 3; i < n - 2; i++) {
    const at = base + i;
    const here = x[at];
    const before = x[at - 1];
    const around = weight * (before - x[at - 3] + x[at + 2] - here) * 0.25;
    const along = (here - before) * around;
    const squared = (around * around) / weight;
    total += squared;
    leap[i] = first ? along : leap[i] + along;
    speed[i] = first ? squared : speed[i] + squared;
  }
  return total;
}
