import type { Stream } from '#core/episode';
import { scratch } from '../scratch.ts';
import { lagReach, type Signals } from './lag-correlation.ts';
import { type Grid, sample } from './lag-grid.ts';

/** The dimensions end to end with zeros between, each scaled to an energy of one, so that one product serves all. */
export function laySignals(
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
