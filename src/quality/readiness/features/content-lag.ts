import { clamp } from '#core';
import { clockOf, type Stream, timesOf } from '#core/episode';
import { getColumns } from './columns.ts';
import type { CommandPair } from './command-pair.ts';
import { computeWidestRange, isSwitch } from './dimension-leaps.ts';
import { scratchBuffer, selectStrongest } from './numeric.ts';
import type { StreamFeatures } from './stream-features.ts';
import { lowerBound } from './stream-rows.ts';

/** Lag of the state behind its command, measured from the motion itself. */
export interface ContentLag {
  /** Lag in steps of the comparison grid; positive if the state follows the command. */
  readonly lag: number;
  /** Rows of the shared table per grid step; 1 on a grid of time. */
  readonly rows_a_step: number;
  readonly step_s: number;
  /** Normalized cross-correlation of the velocities at that lag; 1 is a perfect copy. */
  readonly peak: number;
  /**
   * Peak minus the correlation five steps away, on the higher side. A broad peak determines the lag poorly.
   */
  readonly sharpness: number;
  /** Correlation at every lag from −`maxLagSteps` to `maxLagSteps`, in grid steps. */
  readonly correlation: Float64Array;
  /** `position`: velocities of both were correlated. `delta`: the command itself is a velocity. */
  readonly action_space: 'position' | 'delta';
  readonly dimensions: number;
}

const maxDimensions = 3;
const minRangeFraction = 0.05;
/** Maximum ratio of bends to steps; a rougher dimension is noise. */
const maxRoughness = 1.1;
/**
 * Minimum correlation at which the action is taken for a position. Below, it may be a velocity, if that
 * correlates higher by `minDeltaMargin`.
 */
const minPositionPeak = 0.85;
const minDeltaMargin = 0.05;
/**
 * Maximum lag in grid steps for accepting a position at once; a longer lag may be the phase shift of a
 * velocity.
 */
const maxUsualLag = 8;

/**
 * Measures the lag of the state behind the action in grid steps, by correlating the widest dimensions not `excluded`;
 * `null` if the dimensions differ, nothing moves, or there are too few samples. A grid step is that of the slower
 * stream (a row if they share rows).
 */
export function measureContentLag(
  { action, state, same_rows }: CommandPair,
  actionFeatures: StreamFeatures,
  stateFeatures: StreamFeatures,
  excluded: ReadonlySet<number>,
): ContentLag | null {
  const grid = createGrid(action, state, same_rows, actionFeatures, stateFeatures);
  if (grid === null || grid.length < maxLagSteps) return null;
  const position = correlatePair(
    action,
    state,
    grid,
    selectDimensions(actionFeatures, stateFeatures, excluded, true),
    true,
  );
  if (position !== null && position.peak >= minPositionPeak && Math.abs(position.lag) <= maxUsualLag)
    return position;
  const delta = correlatePair(
    action,
    state,
    grid,
    selectDimensions(actionFeatures, stateFeatures, excluded, false),
    false,
  );
  if (position === null || delta === null) return position ?? delta;
  return delta.peak > position.peak + minDeltaMargin ? delta : position;
}

/**
 * Returns the lag in grid steps with sub-step precision: the vertex of the parabola through the peak and its
 * neighbours; at an end of the range, the lag unchanged.
 */
export function interpolatePeakLag({ lag, correlation }: ContentLag): number {
  const at = lag + (correlation.length - 1) / 2;
  if (at < 1 || at > correlation.length - 2) return lag;
  const [before, peak, after] = correlation.subarray(at - 1, at + 2);
  const bend = before - 2 * peak + after;
  return bend < 0 ? lag + clamp((before - after) / (2 * bend), -0.5, 0.5) : lag;
}

/** Selects the widest dimensions that move smoothly in both streams and are not switches. */
function selectDimensions(
  actionFeatures: StreamFeatures,
  stateFeatures: StreamFeatures,
  excluded: ReadonlySet<number>,
  position: boolean,
): number[] {
  if (actionFeatures.dims !== stateFeatures.dims) return [];
  const floor = minRangeFraction * computeWidestRange(stateFeatures);
  return selectStrongest(stateFeatures.dims, maxDimensions, (d) => {
    const range = stateFeatures.maximum[d] - stateFeatures.minimum[d];
    if (!(range > floor) || !(actionFeatures.maximum[d] > actionFeatures.minimum[d]) || excluded.has(d))
      return 0;
    if (isSwitch(stateFeatures, d) || isSwitch(actionFeatures, d)) return 0;
    return isRough(stateFeatures, d) || (position && isRough(actionFeatures, d)) ? 0 : range;
  });
}

function isRough({ columns }: StreamFeatures, d: number): boolean {
  return columns.bend_rms[d] > maxRoughness * columns.step_rms[d];
}

function correlatePair(
  action: Stream,
  state: Stream,
  grid: Grid,
  dimensions: readonly number[],
  position: boolean,
): ContentLag | null {
  const signals = packSignals(action, state, grid, dimensions, position);
  if (signals.used === 0) return null;
  const correlation = correlateAtLags(signals);
  let best = 0;
  for (let k = 1; k < correlation.length; k++) if (correlation[k] > correlation[best]) best = k;
  const off = Math.max(correlation[best - 5] ?? -1, correlation[best + 5] ?? -1);
  return {
    lag: best - maxLagSteps,
    rows_a_step: Math.max(1, grid.stride),
    step_s: grid.step_s,
    peak: correlation[best],
    sharpness: correlation[best] - off,
    correlation,
    action_space: position ? 'position' : 'delta',
    dimensions: signals.used,
  };
}

/**
 * Concatenates the dimensions with zeros between them, each scaled to unit energy, so that one product
 * correlates all.
 */
function packSignals(
  action: Stream,
  state: Stream,
  grid: Grid,
  dimensions: readonly number[],
  position: boolean,
): PackedSignals {
  const span = grid.length + maxLagSteps;
  const length = dimensions.length * span + maxLagSteps;
  const commanded = scratchBuffer('lag-action', length);
  const measured = scratchBuffer('lag-state', length);
  let used = 0;
  let at = maxLagSteps;
  commanded.fill(0, 0, at);
  measured.fill(0, 0, at);
  for (const d of dimensions) {
    sampleDimension(action, d, grid, commanded, at);
    sampleDimension(state, d, grid, measured, at);
    const actionEnergy = position
      ? toVelocity(commanded, at, grid.length)
      : toDeviation(commanded, at, grid.length);
    const energy = Math.sqrt(actionEnergy * toVelocity(measured, at, grid.length));
    if (!(energy > 0 && energy < Infinity)) continue;
    for (let i = at; i < at + grid.length; i++) commanded[i] /= energy;
    at += span;
    used++;
    commanded.fill(0, at - maxLagSteps, at);
    measured.fill(0, at - maxLagSteps, at);
  }
  return { action: commanded, state: measured, length: at, used };
}

/**
 * Replaces values by central differences, in place; ends and non-finite values become zero. Returns their
 * energy.
 */
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
  // Ignore the last sample, which control loops write when they stop.
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

/**
 * Maximum grid rate; a lag needs no finer grid, and a coarser one keeps fast streams within `maxLagSteps`.
 */
const maxGridRate_hz = 40;

/** Common sampling grid of both streams. */
interface Grid {
  readonly length: number;
  readonly step_s: number;
  readonly from_s: number;
  /** Rows per step if both streams share rows; 0 if the grid is in time. */
  readonly stride: number;
}

/**
 * Creates a grid with the step of the slower stream, in whole rows if both share rows; `null` if the
 * timestamps do not relate the streams.
 */
function createGrid(
  action: Stream,
  state: Stream,
  same_rows: boolean,
  actionFeatures: StreamFeatures,
  stateFeatures: StreamFeatures,
): Grid | null {
  const declared = state.declared_rate_hz ?? action.declared_rate_hz;
  if (same_rows) {
    const step_s = stateFeatures.median_step_s ?? (declared === null ? 0 : 1 / declared);
    const stride = step_s > 0 ? Math.max(1, Math.round(1 / maxGridRate_hz / step_s)) : 1;
    return { length: Math.floor(stateFeatures.samples / stride), step_s: step_s * stride, from_s: 0, stride };
  }
  const [a, s] = [actionFeatures.clock, stateFeatures.clock];
  if (a === null || s === null || a.median_step_s === 0 || s.median_step_s === 0) return null;
  if (clockOf(action)?.provenance === 'synthesised' || clockOf(state)?.provenance === 'synthesised')
    return null;
  const step_s = Math.max(a.median_step_s, s.median_step_s, 1 / maxGridRate_hz);
  const from_s = Math.max(a.first_s, s.first_s);
  const to_s = Math.min(a.last_s, s.last_s);
  return { length: Math.max(0, Math.floor((to_s - from_s) / step_s)), step_s, from_s, stride: 0 };
}

/** Writes a dimension's values at the grid steps into `out`, starting at `from`. */
function sampleDimension(stream: Stream, d: number, grid: Grid, out: Float64Array, from: number): void {
  const columns = getColumns(stream.series!);
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

/** Maximum lag, in grid steps, by which the state may follow or lead its command. */
export const maxLagSteps = 32;

/**
 * Command and state packed for correlation, with `maxLagSteps` zeros around each of the `used` dimensions.
 */
interface PackedSignals {
  readonly action: Float64Array;
  readonly state: Float64Array;
  readonly length: number;
  readonly used: number;
}

/**
 * Computes the correlation at every lag from −`maxLagSteps` to `maxLagSteps`: every fourth lag exactly, then
 * the neighbours of the best; the rest is interpolated.
 */
function correlateAtLags({ action, state, length, used }: PackedSignals): Float64Array {
  const out = new Float64Array(2 * maxLagSteps + 1);
  let best = 0;
  for (let k = 0; k + 12 < out.length; k += 16) fourProducts(action, state, length, k, out);
  out[2 * maxLagSteps] = lagProduct(action, state, length, maxLagSteps);
  for (let k = 0; k < out.length; k += 4) if (out[k] > out[best]) best = k;
  if (best > 0) threeProducts(action, state, length, best - 3, out);
  if (best < 2 * maxLagSteps) threeProducts(action, state, length, best + 1, out);
  for (let k = 0; k < out.length; k++) {
    if (k % 4 === 0 || Math.abs(k - best) < 4) continue;
    const before = k - (k % 4);
    out[k] = out[before] + ((out[before + 4] - out[before]) * (k % 4)) / 4;
  }
  for (let k = 0; k < out.length; k++) out[k] /= used;
  return out;
}

/** Computes Σ a[i] · s[i + lag] for four lags, four apart, in one pass that loads each value once. */
function fourProducts(a: Float64Array, s: Float64Array, length: number, k: number, out: Float64Array): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const shift = k - maxLagSteps;
  const to = length - maxLagSteps;
  for (let i = maxLagSteps; i < to; i++) {
    const x = a[i];
    const at = i + shift;
    s0 += x * s[at];
    s1 += x * s[at + 4];
    s2 += x * s[at + 8];
    s3 += x * s[at + 12];
  }
  out[k] = s0;
  out[k + 4] = s1;
  out[k + 8] = s2;
  out[k + 12] = s3;
}

/** Computes Σ a[i] · s[i + lag] for three consecutive lags. */
function threeProducts(a: Float64Array, s: Float64Array, length: number, k: number, out: Float64Array): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  const shift = k - maxLagSteps;
  const to = length - maxLagSteps;
  for (let i = maxLagSteps; i < to; i++) {
    const x = a[i];
    const at = i + shift;
    s0 += x * s[at];
    s1 += x * s[at + 1];
    s2 += x * s[at + 2];
  }
  out[k] = s0;
  out[k + 1] = s1;
  out[k + 2] = s2;
}

function lagProduct(a: Float64Array, s: Float64Array, length: number, lag: number): number {
  let sum = 0;
  const to = length - maxLagSteps;
  for (let i = maxLagSteps; i < to; i++) sum += a[i] * s[i + lag];
  return sum;
}
