import { clamp } from '#core';
import { clockOf, type Stream, timesOf } from '#core/episode';
import { columnsOf } from '../columns/columns.ts';
import { isSwitch, widestRange } from '../columns/dimension-leaps.ts';
import { lowerBound } from '../movement.ts';
import { scratch } from '../scratch.ts';
import type { StreamFeatures } from '../stream-features.ts';
import type { CommandedPair } from './commanded.ts';
import { correlations, lagReach, type Signals } from './lag-correlation.ts';
import { strongest } from './strongest.ts';

/** By how much the state follows its command, from the motion itself. */
export interface ContentLag {
  /** Lag in steps of the comparison grid; positive: the state follows. */
  readonly lag: number;
  /** Rows of a shared table that one step of the grid spans; 1 on a grid of time. */
  readonly rows_a_step: number;
  readonly step_s: number;
  /** Normalised cross-correlation of the velocities at that lag: 1 is a perfect copy. */
  readonly peak: number;
  /** Peak less the correlation five rows further off, on the better side. A broad peak places the lag poorly. */
  readonly sharpness: number;
  /** Correlation at every lag from −reach to reach, in rows of the grid. */
  readonly correlation: Float64Array;
  /** `position`: velocity against velocity. `delta`: the command itself is a velocity. */
  readonly action_space: 'position' | 'delta';
  readonly dimensions: number;
}

const mostDimensions = 3;
const leastRange = 0.05;
/** Steps that alternate more than they move are noise. */
const mostRoughness = 1.1;
/** From this correlation on the action is a position; below, it may be a velocity, whichever fits clearly better. */
const sure = 0.85;
const clearly = 0.05;
/** Steps of the grid: a position that answers later than this may be a velocity whose phase is shifted. */
const usualLag = 8;

/**
 * Correlates the strongest dimensions that both streams have, on one grid of the slower stream's step (whole rows where
 * they share rows). Null where dimensions differ, nothing moves, or there is too little of it.
 */
export function contentLag(
  { action, state, same_rows }: CommandedPair,
  ofAction: StreamFeatures,
  ofState: StreamFeatures,
  without: ReadonlySet<number>,
): ContentLag | null {
  const grid = gridOf(action, state, same_rows, ofAction, ofState);
  if (grid === null || grid.length < lagReach) return null;
  const position = correlate(action, state, grid, comparable(ofAction, ofState, without, true), true);
  if (position !== null && position.peak >= sure && Math.abs(position.lag) <= usualLag) return position;
  const delta = correlate(action, state, grid, comparable(ofAction, ofState, without, false), false);
  if (position === null || delta === null) return position ?? delta;
  return delta.peak > position.peak + clearly ? delta : position;
}

/** The lag between steps: the vertex of the parabola through the peak and its neighbours. */
export function peakLag({ lag, correlation }: ContentLag): number {
  const at = lag + (correlation.length - 1) / 2;
  if (at < 1 || at > correlation.length - 2) return lag;
  const [before, peak, after] = correlation.subarray(at - 1, at + 2);
  const bend = before - 2 * peak + after;
  return bend < 0 ? lag + clamp((before - after) / (2 * bend), -0.5, 0.5) : lag;
}

/** The widest dimensions that move smoothly in both streams and are no switches. */
function comparable(
  ofAction: StreamFeatures,
  ofState: StreamFeatures,
  without: ReadonlySet<number>,
  position: boolean,
): number[] {
  if (ofAction.dims !== ofState.dims) return [];
  const floor = leastRange * widestRange(ofState);
  return strongest(ofState.dims, mostDimensions, (d) => {
    const range = ofState.maximum[d] - ofState.minimum[d];
    if (!(range > floor) || !(ofAction.maximum[d] > ofAction.minimum[d]) || without.has(d)) return 0;
    if (isSwitch(ofState, d) || isSwitch(ofAction, d)) return 0;
    return rough(ofState, d) || (position && rough(ofAction, d)) ? 0 : range;
  });
}

function rough({ columns }: StreamFeatures, d: number): boolean {
  return columns.bend_rms[d] > mostRoughness * columns.step_rms[d];
}

function correlate(
  action: Stream,
  state: Stream,
  grid: Grid,
  dimensions: readonly number[],
  position: boolean,
): ContentLag | null {
  const signals = laySignals(action, state, grid, dimensions, position);
  if (signals.used === 0) return null;
  const correlation = correlations(signals);
  let best = 0;
  for (let k = 1; k < correlation.length; k++) if (correlation[k] > correlation[best]) best = k;
  const off = Math.max(correlation[best - 5] ?? -1, correlation[best + 5] ?? -1);
  return {
    lag: best - lagReach,
    rows_a_step: Math.max(1, grid.stride),
    step_s: grid.step_s,
    peak: correlation[best],
    sharpness: correlation[best] - off,
    correlation,
    action_space: position ? 'position' : 'delta',
    dimensions: signals.used,
  };
}

/** The dimensions end to end with zeros between, each scaled to an energy of one, so that one product serves all. */
function laySignals(
  action: Stream,
  state: Stream,
  grid: Grid,
  dimensions: readonly number[],
  position: boolean,
): Signals {
  const span = grid.length + lagReach;
  const length = dimensions.length * span + lagReach;
  const commanded = scratch('lag-action', length);
  const measured = scratch('lag-state', length);
  let used = 0;
  let at = lagReach;
  commanded.fill(0, 0, at);
  measured.fill(0, 0, at);
  for (const d of dimensions) {
    sample(action, d, grid, commanded, at);
    sample(state, d, grid, measured, at);
    const ofAction = position
      ? toVelocity(commanded, at, grid.length)
      : toDeviation(commanded, at, grid.length);
    const energy = Math.sqrt(ofAction * toVelocity(measured, at, grid.length));
    if (!(energy > 0 && energy < Infinity)) continue;
    for (let i = at; i < at + grid.length; i++) commanded[i] /= energy;
    at += span;
    used++;
    commanded.fill(0, at - lagReach, at);
    measured.fill(0, at - lagReach, at);
  }
  return { action: commanded, state: measured, length: at, used };
}

/** Central differences in place, ends and what is not finite zero; returns their energy. */
function toVelocity(x: Float64Array, from: number, count: number): number {
  let energy = 0;
  const last = from + count - 1;
  let before = x[from];
  x[from] = 0;
  for (let i = from + 1; i < last; i++) {
    const here = x[i];
    const step = x[i + 1] - before;
    before = here;
    const velocity = step - step === 0 ? step : 0;
    x[i] = velocity;
    energy += velocity * velocity;
  }
  // What loops write when they stop is no motion.
  if (count > 2) {
    energy -= x[last - 1] * x[last - 1];
    x[last - 1] = 0;
  }
  x[last] = 0;
  return Math.max(0, energy);
}

function toDeviation(x: Float64Array, from: number, length: number): number {
  let sum = 0;
  let count = 0;
  for (let i = from; i < from + length; i++) {
    if (!Number.isFinite(x[i])) continue;
    sum += x[i];
    count++;
  }
  const mean = count === 0 ? 0 : sum / count;
  let energy = 0;
  for (let i = from; i < from + length; i++) {
    const deviation = Number.isFinite(x[i]) ? x[i] - mean : 0;
    x[i] = deviation;
    energy += deviation * deviation;
  }
  return energy;
}

/** A slower grid than this is not needed to place a lag, and keeps a fast stream within reach. */
const gridRate_hz = 40;

/** Common steps of both streams. */
interface Grid {
  readonly length: number;
  readonly step_s: number;
  readonly from_s: number;
  /** Rows a step where both streams share rows; 0: by time. */
  readonly stride: number;
}

/** Steps of the slower stream, whole rows where both share rows; null where their times do not tell how they lie. */
function gridOf(
  action: Stream,
  state: Stream,
  same_rows: boolean,
  ofAction: StreamFeatures,
  ofState: StreamFeatures,
): Grid | null {
  const declared = state.declared_rate_hz ?? action.declared_rate_hz;
  if (same_rows) {
    const step_s = ofState.median_step_s ?? (declared === null ? 0 : 1 / declared);
    const stride = step_s > 0 ? Math.max(1, Math.round(1 / gridRate_hz / step_s)) : 1;
    return { length: Math.floor(ofState.samples / stride), step_s: step_s * stride, from_s: 0, stride };
  }
  const [a, s] = [ofAction.clock, ofState.clock];
  if (a === null || s === null || a.median_step_s === 0 || s.median_step_s === 0) return null;
  if (clockOf(action)?.provenance === 'synthesised' || clockOf(state)?.provenance === 'synthesised')
    return null;
  const step_s = Math.max(a.median_step_s, s.median_step_s, 1 / gridRate_hz);
  const from_s = Math.max(a.first_s, s.first_s);
  const to_s = Math.min(a.last_s, s.last_s);
  return { length: Math.max(0, Math.floor((to_s - from_s) / step_s)), step_s, from_s, stride: 0 };
}

/** Writes a dimension's values at the steps of the grid into `out`, beginning at `from`. */
function sample(stream: Stream, d: number, grid: Grid, out: Float64Array, from: number): void {
  const columns = columnsOf(stream.series!);
  const { buffer } = columns;
  const base = columns.at(d);
  if (grid.stride > 0) {
    for (let i = 0; i < grid.length; i++) out[from + i] = buffer[base + i * grid.stride];
    return;
  }
  const times = timesOf(stream)!;
  let row = Math.max(0, lowerBound(times, grid.from_s) - 1);
  for (let i = 0; i < grid.length; i++) {
    const at = grid.from_s + i * grid.step_s;
    while (row + 1 < times.length && times[row + 1] <= at) row++;
    out[from + i] = buffer[base + row];
  }
}
