import type { GripperTrack } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import type { Span } from './spans.ts';

/** Mean of each feature over a span, and the sum of their variances. */
interface Moments {
  readonly means: readonly number[];
  readonly variance: number;
}

/**
 * How much both sides of each boundary differ, 0 to 1, by the correlation ratio with equal weights: between / (between
 * + within), where between is ¼ · Σ (mean before − mean after)² and within ½ · Σ (variance before + variance after),
 * over the speed and the velocity of every dimension that moves; or, where a gripper changes, over where the gripper
 * is, if that is more. 0: nothing tells the sides apart; 1: each side is all alike and unlike the other. Null where a
 * side was not observed.
 */
export function contrasts(
  motion: Motion,
  tracks: readonly GripperTrack[],
  spans: readonly Span[],
): (number | null)[] {
  const moments = spans.map(({ kind, bins }) => (kind === 'unobserved' ? null : momentsOf(motion, bins)));
  return spans.slice(1).map((after, i) => {
    const before = spans[i];
    const ofMotion = contrast(moments[i], moments[i + 1]);
    if (after.begins?.type !== 'gripper') return ofMotion;
    const { stream, dimension } = after.begins;
    const track = tracks.find((own) => own.stream.id === stream && own.dimension === dimension);
    const ofGripper = track === undefined ? null : contrast(heldAt(track, before), heldAt(track, after));
    return ofMotion === null ? ofGripper : Math.max(ofMotion, ofGripper ?? 0);
  });
}

function contrast(a: Moments | null, b: Moments | null): number | null {
  if (a === null || b === null) return null;
  let between = 0;
  for (let f = 0; f < a.means.length; f++) between += (a.means[f] - b.means[f]) ** 2 / 4;
  const within = (a.variance + b.variance) / 2;
  return between + within > 0 ? between / (between + within) : 0;
}

function momentsOf({ moving, speed }: Motion, [from, to]: Span['bins']): Moments | null {
  if (to <= from) return null;
  const features = [speed, ...moving.map(({ velocity }) => velocity)];
  return momentsIn(features, from, to);
}

function momentsIn(features: readonly Float64Array[], from: number, to: number): Moments {
  let variance = 0;
  const means: number[] = [];
  for (const x of features) {
    let sum = 0;
    let squares = 0;
    for (let i = from; i < to; i++) {
      sum += x[i];
      squares += x[i] * x[i];
    }
    const mean = sum / (to - from);
    variance += Math.max(0, squares / (to - from) - mean * mean);
    means.push(mean);
  }
  return { means, variance };
}

/** Where the gripper is during a span, by the rows in it. */
function heldAt({ time_s, values }: GripperTrack, { from_s, to_s }: Span): Moments | null {
  const [from, to] = [lowerBound(time_s, from_s), lowerBound(time_s, to_s)];
  return to > from ? momentsIn([values], from, to) : null;
}

function lowerBound(times: Float64Array, at_s: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < at_s) low = middle + 1;
    else high = middle;
  }
  return low;
}
