import type { Stream } from '#core/episode';
import { columnsOf } from '../columns/columns.ts';
import type { DimensionLeaps } from '../columns/dimension-leaps.ts';
import { strongest } from '../lag/strongest.ts';
import { scratch } from '../scratch.ts';
import type { StreamFeatures } from '../stream-features.ts';
import { keepLargest, type Span } from './clock-features.ts';

/**
 * Signs of missing rows in the signals themselves, for recordings whose stamps cannot tell. A row taken out makes the
 * next one leap in every stream of the table at once, while noise of sensors and commands is independent.
 */
export interface MissingRows {
  /** Rows at which both streams moved, and those of them at which both leapt. */
  readonly moving: number;
  readonly leaping: number;
  /** The largest common leaps, in samples missing, at most 8, in order of time. */
  readonly leaps: readonly Span[];
}

/** A leap of 1 is steady motion and 2 is one row missing; acceleration seldom reaches 1.4 in both at one row of 30 Hz. */
const leapShare = 0.4;
const usualRate_hz = 30;
/** A row moves when its squared speed passes this share of the stream's mean. */
const movingShare = 0.5;

/** `a` and `b` are streams of one table: row i of one was written with row i of the other. */
export function missingRows(
  a: Stream,
  featuresA: StreamFeatures,
  b: Stream,
  featuresB: StreamFeatures,
): MissingRows | null {
  const n = featuresA.samples;
  if (n !== featuresB.samples) return null;
  const one = rowLeaps(a, featuresA, 'leaps-a');
  const other = one === null ? null : rowLeaps(b, featuresB, 'leaps-b');
  if (one === null || other === null) return null;
  const least = 1 + leapShare * coarseness(a, featuresA);
  const floorA = movingShare * one.mean_speed;
  const floorB = movingShare * other.mean_speed;
  const leaps: Span[] = [];
  let moving = 0;
  let leaping = 0;
  for (let i = 3; i < n - 2; i++) {
    const speedA = one.speed[i];
    const speedB = other.speed[i];
    if (!(speedA > floorA && speedB > floorB)) continue;
    moving++;
    const leapA = one.leap[i];
    const leapB = other.leap[i];
    if (leapA < least * speedA || leapB < least * speedB) continue;
    leaping++;
    const common = Math.min(leapA / speedA, leapB / speedB);
    keepLargest(leaps, { from: i - 1, to: i, size: common - 1 });
  }
  leaps.sort((x, y) => x.from - y.from);
  return { moving, leaping, leaps };
}

/** Steps of 30 Hz between two rows, at least 1: between rows that lie further apart a robot speeds up by more. */
export function coarseness({ declared_rate_hz }: Stream, { median_step_s }: StreamFeatures): number {
  const step_s = declared_rate_hz === null ? (median_step_s ?? 0) : 1 / declared_rate_hz;
  return Math.max(1, step_s * usualRate_hz);
}

/** A row where many dimensions of both streams leap at once, each out of the motion around it. */
export interface CommonLeap {
  readonly row: number;
  /** Share of the moving dimensions that leap there, in the stream where it is less. */
  readonly share: number;
  readonly isolation: number;
}

/** One joint that jumps in command and answer is a jump; rows that are missing are missing for all. */
const fewestAtOnce = 2;

/** A block of missing rows leaves one such row; the most isolated is given, null without any. */
export function commonLeap(a: DimensionLeaps, b: DimensionLeaps): CommonLeap | null {
  let best: CommonLeap | null = null;
  for (const { row } of a.leaps) {
    const inA = leapsAt(a, row);
    const inB = leapsAt(b, row);
    if (inA.count < fewestAtOnce || inB.count < fewestAtOnce) continue;
    const share = Math.min(inA.count / a.active, inB.count / b.active);
    const isolation = Math.min(inA.isolation, inB.isolation);
    if (best === null || share * isolation > best.share * best.isolation) best = { row, share, isolation };
  }
  return best;
}

function leapsAt({ leaps }: DimensionLeaps, row: number): { count: number; isolation: number } {
  let count = 0;
  let isolation = 0;
  for (const leap of leaps) {
    if (leap.row !== row) continue;
    count++;
    if (leap.isolation > isolation) isolation = leap.isolation;
  }
  return { count, isolation };
}

/**
 * How far each row lies from the row before, in units of the motion around it: the step into row i projected on the
 * mean of the two steps before and the two after, over the stream's smooth dimensions, each weighted by its own
 * root-mean-square step. Steady motion gives 1, k rows missing just before row i give about 1 + k.
 */
interface RowLeaps {
  /** Rows 3..samples−3 hold leap · speed. Valid until the next stream with the same slot is measured. */
  readonly leap: Float64Array;
  /** Squared speed around the row, for telling motion from rest. */
  readonly speed: Float64Array;
  readonly mean_speed: number;
}

const mostDimensions = 4;
/** A dimension is smooth when it seldom repeats a value and its steps resemble their neighbours. */
const mostRepeats = 0.3;
const mostRoughness = 1;

function rowLeaps(stream: Stream, features: StreamFeatures, slot: string): RowLeaps | null {
  const { series } = stream;
  const n = features.samples;
  if (series === undefined || n < 12) return null;
  const chosen = smoothDimensions(features);
  if (chosen.length === 0) return null;
  const leap = scratch(`${slot}-leap`, n);
  const speed = scratch(`${slot}-speed`, n);
  const columns = columnsOf(series);
  let total = 0;
  chosen.forEach((d, k) => {
    const weight = 1 / features.columns.step_rms[d] ** 2;
    total += addDimension(columns.buffer, columns.at(d), n, weight, leap, speed, k === 0);
  });
  return { leap, speed, mean_speed: total / Math.max(1, n - 5) };
}

function smoothDimensions({ columns, samples, dims }: StreamFeatures): number[] {
  return strongest(dims, mostDimensions, (d) => {
    if (columns.step_rms[d] === 0 || columns.non_finite[d] > 0) return 0;
    if (columns.zero_steps[d] > mostRepeats * samples) return 0;
    return mostRoughness - (columns.bend_rms[d] / columns.step_rms[d]) ** 2;
  });
}

/** Adds one dimension's share to every row, or starts with it; returns the sum of the squared speeds it added. */
function addDimension(
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
