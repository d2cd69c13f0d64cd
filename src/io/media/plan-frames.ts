import type { FrameNeed, PlannedFrame } from './media-port.ts';

/**
 * Fraction of the median frame step by which a frame may be early for its period, because recorded stamps are uneven.
 */
const maxEarlyFraction = 0.25;

/**
 * Returns the frames that each need uses, in row order: the first frame, then the first of each period of its rate;
 * frames without a finite stamp are skipped. Each has the indices of its needs. The choice for one need does not depend
 * on the others.
 */
export function planFrames(times_s: Float64Array, needs: readonly FrameNeed[]): PlannedFrame[] {
  const order = [...times_s.keys()].filter((row) => Number.isFinite(times_s[row]));
  order.sort((a, b) => times_s[a] - times_s[b] || a - b);
  const needsByRow = new Map<number, number[]>();
  for (const [need, { rate_hz }] of needs.entries())
    for (const row of chooseRows(order, times_s, rate_hz)) {
      const frameNeeds = needsByRow.get(row);
      if (frameNeeds === undefined) needsByRow.set(row, [need]);
      else frameNeeds.push(need);
    }
  return [...needsByRow]
    .sort(([a], [b]) => a - b)
    .map(([row, frameNeeds]) => ({ row, time_s: times_s[row], needs: frameNeeds }));
}

function* chooseRows(order: readonly number[], times_s: Float64Array, rate_hz: number): Generator<number> {
  if (order.length === 0) return;
  const from_s = times_s[order[0]];
  const early = Math.min(maxEarlyFraction, maxEarlyFraction * medianStep(order, times_s) * rate_hz);
  let next = 0;
  for (const row of order) {
    const periods = (times_s[row] - from_s) * rate_hz + early;
    if (periods < next) continue;
    yield row;
    next = Math.floor(periods) + 1;
  }
}

/** Returns the median time between consecutive frames in seconds; 0 for fewer than two frames. */
function medianStep(order: readonly number[], times_s: Float64Array): number {
  if (order.length < 2) return 0;
  const steps = Float64Array.from(
    { length: order.length - 1 },
    (_, i) => times_s[order[i + 1]] - times_s[order[i]],
  );
  return steps.sort()[steps.length >> 1];
}
