import { scratch } from '../scratch.ts';
import { selectInPlace } from '../select.ts';
import { type ClockFeatures, holeFactor, irregularity } from './clock-features.ts';

/** Steps up to this share of all, from the shortest, are steps that the topic takes. */
const usualShare = 0.95;

/**
 * A clock as a recorder writes it that takes a topic's newest message when it comes round, and notes itself what it
 * loses (PX4's logger): of a sensor of 250 Hz it writes now every reading, now every second one. What such a clock often
 * does is its rate, so its shorter steps are no jitter, and holes are counted from the longest of its usual steps on.
 */
export function thinnedClock(clock: ClockFeatures, time_s: Float64Array): ClockFeatures {
  if (clock.missing === 0 && clock.jitter_ratio < holeFactor - 1) return clock;
  const steps = scratch('thinned-steps', time_s.length);
  let positive = 0;
  for (let i = 1; i < time_s.length; i++) {
    const step = time_s[i] - time_s[i - 1];
    if (step > 0 && step < Infinity) steps[positive++] = step;
  }
  const longest = selectInPlace(steps, positive, Math.floor(usualShare * (positive - 1)));
  if (!(longest > holeFactor * clock.median_step_s)) return clock;
  const { missing, holes } = irregularity(time_s, longest);
  return { ...clock, median_step_s: longest, missing, holes, jitter_ratio: 0 };
}
