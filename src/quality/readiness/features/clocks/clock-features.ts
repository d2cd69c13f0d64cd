import type { Clock } from '#core/episode';
import { scratch } from '../scratch.ts';
import { medianInPlace, selectInPlace } from '../select.ts';

/** A span of samples of a stream: rows `from` and `to`, and how large the thing was there. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** What a clock's stamps say by themselves. */
export interface ClockFeatures {
  readonly samples: number;
  readonly first_s: number;
  readonly last_s: number;
  /** Median of the positive steps; 0 when there are none. */
  readonly median_step_s: number;
  readonly non_finite: number;
  /** Steps below zero, and at most 8 of the rows after them. */
  readonly reversals: number;
  readonly reversal_rows: readonly number[];
  /** Steps of exactly zero, and at most 8 of the rows after them. */
  readonly duplicates: number;
  readonly duplicate_rows: readonly number[];
  /** Samples that would have filled the holes, those made up for by a following burst left out. */
  readonly missing: number;
  /** The largest holes by samples missing, at most 8, in order of time. */
  readonly holes: readonly Span[];
  /** 95th percentile of |step − median| / median over steps that are no holes. */
  readonly jitter_ratio: number;
}

const listed = 8;
/** A step this many times the median is a hole: half-way between one step and two would be 1.5, the rest is jitter. */
export const holeFactor = 1.75;

/** One linear pass over the stamps and two selections over their steps. */
export function clockFeatures(clock: Clock): ClockFeatures {
  const time = clock.time_s;
  const n = time.length;
  const steps = scratch('clock-steps', n);
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
      if (duplicates++ < listed) duplicateRows.push(i);
    } else if (step < 0 && step > -Infinity) {
      if (reversals++ < listed) reversalRows.push(i);
    } else if (!Number.isFinite(time[i])) nonFinite++;
  }
  const median = medianInPlace(steps, positive);
  const { missing, holes, jitter } = irregularity(time, median);
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

/** Holes of the stamps where `median` is the step to expect, and how the other steps scatter about it. */
export function irregularity(
  time: Float64Array,
  median: number,
): { missing: number; holes: Span[]; jitter: number } {
  if (median === 0) return { missing: 0, holes: [], jitter: 0 };
  const holes: Span[] = [];
  const deviations = scratch('clock-deviations', time.length);
  let missing = 0;
  let regular = 0;
  let slowUntil = 0;
  for (let i = 1; i < time.length; i++) {
    const ratio = (time[i] - time[i - 1]) / median;
    if (ratio > holeFactor && ratio < Infinity) {
      if (i > slowUntil) slowUntil = slowRunFrom(time, i);
      if (i <= slowUntil) {
        deviations[regular++] = ratio - 1;
        continue;
      }
      const lost = ratio - 1 - early(time, i, median) - caughtUp(time, i, median, ratio - 1);
      if (lost < 0.5) continue;
      missing += lost;
      keepLargest(holes, { from: i - 1, to: i, size: lost });
    } else if (ratio > 0) deviations[regular++] = Math.abs(ratio - 1);
  }
  const jitter = regular === 0 ? 0 : selectInPlace(deviations, regular, Math.floor(0.95 * (regular - 1)));
  holes.sort((a, b) => a.from - b.from);
  return { missing, holes, jitter };
}

/** So many steps on end that are alike are another rate: losses come at random, or as one hole. */
const fewestSlow = 5;
const alike = 1.5;

/**
 * The last row of a run of long steps, each within a factor of 1.5 of the one before: the sender slowed down, as a
 * simulator does while it has something to draw. 0: there is no such run.
 */
function slowRunFrom(time: Float64Array, row: number): number {
  let before = time[row] - time[row - 1];
  let last = row;
  for (let i = row + 1; i < time.length; i++) {
    const step = time[i] - time[i - 1];
    if (!(step < alike * before && before < alike * step)) break;
    before = step;
    last = i;
  }
  return last - row + 1 < fewestSlow ? 0 : last;
}

/** What the step before was too short by: the stamp before the hole came early, went back or was repeated. */
function early(time: Float64Array, row: number, median: number): number {
  if (row < 2) return 0;
  const before = (time[row - 1] - time[row - 2]) / median;
  return before < 0.6 ? 1 - before : 0;
}

/** Samples that arrived in a burst right after a late one: they were delayed, not lost. */
function caughtUp(time: Float64Array, after: number, median: number, late: number): number {
  let made = 0;
  for (let i = after + 1; i < time.length && made < late; i++) {
    const ratio = (time[i] - time[i - 1]) / median;
    if (!(ratio < 0.6)) break;
    made += 1 - ratio;
  }
  return made;
}

/** Keeps the largest `limit` spans. */
export function keepLargest(spans: Span[], span: Span, limit = listed): void {
  if (spans.length < limit) {
    spans.push(span);
    return;
  }
  let least = 0;
  for (let i = 1; i < spans.length; i++) if (spans[i].size < spans[least].size) least = i;
  if (span.size > spans[least].size) spans[least] = span;
}
