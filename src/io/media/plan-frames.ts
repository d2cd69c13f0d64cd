import type { FrameWish, PlannedFrame } from './media-port.ts';

/** A frame that comes this share of the recording's own step too early is taken: recorded stamps are never even. */
const slack = 0.25;

/**
 * The frames that each wish takes of a stream, in the order of recording: the first, and after it in each period of its
 * rate the first that comes. What one takes does not depend on the others. Frames without a finite stamp are left out.
 */
export function planFrames(times_s: Float64Array, wishes: readonly FrameWish[]): PlannedFrame[] {
  const order = [...times_s.keys()].filter((row) => Number.isFinite(times_s[row]));
  order.sort((a, b) => times_s[a] - times_s[b] || a - b);
  const wanted = new Map<number, number[]>();
  for (const [wish, { rate_hz }] of wishes.entries())
    for (const row of chosen(order, times_s, rate_hz)) {
      const own = wanted.get(row);
      if (own === undefined) wanted.set(row, [wish]);
      else own.push(wish);
    }
  return [...wanted]
    .sort(([a], [b]) => a - b)
    .map(([row, own]) => ({ row, time_s: times_s[row], wishes: own }));
}

function* chosen(order: readonly number[], times_s: Float64Array, rate_hz: number): Generator<number> {
  if (order.length === 0) return;
  const from_s = times_s[order[0]];
  const early = Math.min(slack, slack * usualStep(order, times_s) * rate_hz);
  let next = 0;
  for (const row of order) {
    const periods = (times_s[row] - from_s) * rate_hz + early;
    if (periods < next) continue;
    yield row;
    next = Math.floor(periods) + 1;
  }
}

/** Median time from one frame to the next, in seconds. */
function usualStep(order: readonly number[], times_s: Float64Array): number {
  if (order.length < 2) return 0;
  const steps = Float64Array.from(
    { length: order.length - 1 },
    (_, i) => times_s[order[i + 1]] - times_s[order[i]],
  );
  return steps.sort()[steps.length >> 1];
}
