import type { Stream } from '#core/episode';
import type { DimensionLeaps } from '../columns/dimension-leaps.ts';
import { rowLeaps } from '../columns/row-leaps.ts';
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
