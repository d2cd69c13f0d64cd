import type { Random } from '#core';
import type { FramePlan } from '../fault.ts';

/** Returns a plan that shows every frame unchanged. */
export function identityPlan(frames: number, rate_hz: number): FramePlan {
  return { source: Int32Array.from({ length: frames }, (_, i) => i), rate_hz, from_s: 0, to_s: 0 };
}

/**
 * Returns a plan in which a random run of `share` of the frames is replaced. `show` returns the source frame for a
 * frame and the first frame of the run.
 */
export function replaceRun(
  frames: number,
  rate_hz: number,
  share: number,
  random: Random,
  show: (index: number, first: number) => number,
): FramePlan {
  const length = Math.max(1, Math.round(frames * share));
  const first = random.integer(0, frames - length);
  const { source } = identityPlan(frames, rate_hz);
  for (let i = first; i < first + length; i++) source[i] = show(i, first);
  return { source, rate_hz, from_s: first / rate_hz, to_s: (first + length) / rate_hz };
}
