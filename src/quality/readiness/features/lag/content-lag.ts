import { clamp } from '#core';
import type { Stream } from '#core/episode';
import { isSwitch, widestRange } from '../columns/dimension-leaps.ts';
import type { StreamFeatures } from '../stream-features.ts';
import type { CommandedPair } from './commanded.ts';
import { correlations, lagReach } from './lag-correlation.ts';
import { type Grid, gridOf } from './lag-grid.ts';
import { laySignals } from './lag-signals.ts';
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
