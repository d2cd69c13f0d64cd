import type { Clock } from '#core/episode';
import { medianInPlace, scratchBuffer, selectInPlace } from './numeric.ts';

/** Span of samples: first row, last row, and a size whose meaning depends on the use. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Statistics of a clock's timestamps. */
export interface ClockFeatures {
  readonly samples: number;
  readonly first_s: number;
  readonly last_s: number;
  /** Median of the positive steps in seconds; 0 if there are none. */
  readonly median_step_s: number;
  readonly non_finite: number;
  /** Number of negative steps, and at most 8 of the rows after them. */
  readonly reversals: number;
  readonly reversal_rows: readonly number[];
  /** Number of zero steps, and at most 8 of the rows after them. */
  readonly duplicates: number;
  readonly duplicate_rows: readonly number[];
  /** Number of samples that would fill the holes, less those that a following burst made up for. */
  readonly missing: number;
  /** The largest holes, at most 8, in time order; `size` is the number of missing samples. */
  readonly holes: readonly Span[];
  /** 95th percentile of |step − median| / median, over steps that are not holes. */
  readonly jitter_ratio: number;
}

const maxListed = 8;
/**
 * Ratio of step to median from which a step is a hole: halfway between one and two steps would be 1.5, the
 * rest is jitter.
 */
export const holeFactor = 1.75;

/**
 * Counts reversed, repeated, missing and non-finite timestamps of a clock, and measures its median step and jitter;
 * the rows listed for each are limited. Takes one pass over the timestamps and two selections over their steps. All
 * zero without timestamps.
 */
export function computeClockFeatures(clock: Clock): ClockFeatures {
  const time = clock.time_s;
  const n = time.length;
  const steps = scratchBuffer('clock-steps', n);
  const reversalRows: number[] = [];
  const duplicateRows: number[] = [];
  let positive = 0;
  let reversals = 0;
  let duplicates = 0;
  let nonFinite = n > 0 && !Number.isFinite(time[0]) ? 1 : 0;
  for (let i = 1; i < n; i++) {
    const step = time[i] - time[i - 1];
    if (step > 0 && step < Infinity) {
      steps[positive++] = step;
    } else if (step === 0) {
      if (duplicates++ < maxListed) duplicateRows.push(i);
    } else if (step < 0 && step > -Infinity) {
      if (reversals++ < maxListed) reversalRows.push(i);
    } else if (!Number.isFinite(time[i])) nonFinite++;
  }
  const median = medianInPlace(steps, positive);
  const { missing, holes, jitter } = measureIrregularity(time, median);
  return {
    samples: n,
    first_s: n > 0 ? time[0] : 0,
    last_s: n > 0 ? time[n - 1] : 0,
    median_step_s: median,
    non_finite: nonFinite,
    reversals,
    reversal_rows: reversalRows,
    duplicates,
    duplicate_rows: duplicateRows,
    missing,
    holes,
    jitter_ratio: jitter,
  };
}

/**
 * Finds the largest holes in timestamps, in order of time, with `median` as the expected step, and the jitter of the
 * other steps; all zero if `median` is 0. Jitter is the 95th percentile of the relative deviation from `median`.
 */
export function measureIrregularity(
  time: Float64Array,
  median: number,
): { missing: number; holes: Span[]; jitter: number } {
  if (median === 0) return { missing: 0, holes: [], jitter: 0 };
  const holes: Span[] = [];
  const deviations = scratchBuffer('clock-deviations', time.length);
  let missing = 0;
  let regular = 0;
  let slowUntil = 0;
  for (let i = 1; i < time.length; i++) {
    const ratio = (time[i] - time[i - 1]) / median;
    if (ratio > holeFactor && ratio < Infinity) {
      if (i > slowUntil) slowUntil = findSlowRunEnd(time, i);
      if (i <= slowUntil) {
        deviations[regular++] = ratio - 1;
        continue;
      }
      const lost = ratio - 1 - computeEarliness(time, i, median) - countCaughtUp(time, i, median, ratio - 1);
      if (lost < 0.5) continue;
      missing += lost;
      keepLargest(holes, { from: i - 1, to: i, size: lost });
    } else if (ratio > 0) deviations[regular++] = Math.abs(ratio - 1);
  }
  const jitter = regular === 0 ? 0 : selectInPlace(deviations, regular, Math.floor(0.95 * (regular - 1)));
  holes.sort((a, b) => a.from - b.from);
  return { missing, holes, jitter };
}

/**
 * Minimum number of consecutive similar long steps that count as a lower rate instead of losses: losses are
 * random, or one hole.
 */
const minSlowSteps = 5;
const maxSlowStepRatio = 1.5;

/**
 * Returns the last row of a run of long steps, each within a factor of 1.5 of the previous one: the sender
 * slowed down, as a simulator does while rendering. 0 if there is no such run.
 */
function findSlowRunEnd(time: Float64Array, row: number): number {
  let before = time[row] - time[row - 1];
  let last = row;
  for (let i = row + 1; i < time.length; i++) {
    const step = time[i] - time[i - 1];
    if (!(step < maxSlowStepRatio * before && before < maxSlowStepRatio * step)) break;
    before = step;
    last = i;
  }
  return last - row + 1 < minSlowSteps ? 0 : last;
}

/**
 * Returns by how much the step before a hole was too short, in steps, because its timestamp came early, went
 * back or was repeated.
 */
function computeEarliness(time: Float64Array, row: number, median: number): number {
  if (row < 2) return 0;
  const before = (time[row - 1] - time[row - 2]) / median;
  return before < 0.6 ? 1 - before : 0;
}

/**
 * Returns the number of samples that arrived in a burst right after a late one: they were delayed, not lost.
 */
function countCaughtUp(time: Float64Array, after: number, median: number, late: number): number {
  let recovered = 0;
  for (let i = after + 1; i < time.length && recovered < late; i++) {
    const ratio = (time[i] - time[i - 1]) / median;
    if (!(ratio < 0.6)) break;
    recovered += 1 - ratio;
  }
  return recovered;
}

/**
 * Adds a span to an unordered list, in place; a list of `limit` spans keeps the largest ones, so the new span
 * replaces the smallest or is dropped.
 */
export function keepLargest(spans: Span[], span: Span, limit = maxListed): void {
  if (spans.length < limit) {
    spans.push(span);
    return;
  }
  let smallestIndex = 0;
  for (let i = 1; i < spans.length; i++) if (spans[i].size < spans[smallestIndex].size) smallestIndex = i;
  if (span.size > spans[smallestIndex].size) spans[smallestIndex] = span;
}
