import type { Episode, GripperConvention, Stream } from '#core/episode';
import { gripperDimensions } from './columns/hand-dimensions.ts';
import type { EpisodeFeatures } from './episode-features.ts';
import { rowIn } from './movement.ts';
import { scratch } from './scratch.ts';

/** One gripper dimension of a stream. */
export interface GripperSignal {
  readonly stream: Stream;
  readonly dimension: number;
  readonly range: readonly [number, number];
  /** From closed to open on its scale, in its own unit: told by the convention, else the usual scale it fits. */
  readonly travel: number;
  readonly travel_evidence: GripperConvention['evidence'];
}

/** Every gripper dimension of the streams with this role. */
export function gripperSignals(
  episode: Episode,
  features: EpisodeFeatures,
  role: 'state' | 'action',
): GripperSignal[] {
  return episode.streams
    .filter((stream) => stream.role === role && stream.series !== undefined)
    .flatMap((stream) =>
      gripperDimensions(episode, stream)
        .filter((dimension) => dimension < stream.series!.dims)
        .map((dimension) => signalOf(episode, features, stream, dimension)),
    );
}

function signalOf(
  episode: Episode,
  features: EpisodeFeatures,
  stream: Stream,
  dimension: number,
): GripperSignal {
  const { minimum, maximum } = features.of(stream);
  const range = [minimum[dimension], maximum[dimension]] as const;
  const told = episode.grippers.find(
    (gripper) => gripper.stream === stream.id && gripper.dimension === dimension,
  );
  const limits = told === undefined ? null : conventionLimits(told);
  return limits === null
    ? { stream, dimension, range, travel: usualTravel(range), travel_evidence: 'measured' }
    : { stream, dimension, range, travel: limits[1] - limits[0], travel_evidence: told!.evidence };
}

/** The ends of the scale that a convention names, as in `0..100 of calibrated travel`; null where it names none. */
export function conventionLimits({ unit, evidence }: GripperConvention): readonly [number, number] | null {
  const ends = /(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)/.exec(unit);
  if (ends === null || evidence === 'unknown') return null;
  const [low, high] = [Number(ends[1]), Number(ends[2])];
  return high > low ? [low, high] : null;
}

/** Scales in use: metres of a parallel gripper, 0..1, radians, per cent or −100..100, bytes, encoder ticks. */
function usualTravel([low, high]: readonly [number, number]): number {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  for (const travel of [0.08, 1, Math.PI, 100, 255, 1000]) if (reach <= 1.5 * travel) return travel;
  return high - low;
}

/** Times the signal crosses from one end of its range to the other (30 % to 70 % and back). */
export function crossings({ stream, dimension, range: [low, high] }: GripperSignal): number {
  const { values, dims } = stream.series!;
  const down = low + 0.3 * (high - low);
  const up = low + 0.7 * (high - low);
  let side = 0;
  let count = 0;
  for (let at = dimension; at < values.length; at += dims) {
    const x = values[at];
    if (x <= down) {
      if (side === 1) count++;
      side = -1;
    } else if (x >= up) {
      if (side === -1) count++;
      side = 1;
    }
  }
  return count;
}

/** Share of the samples in the middle three fifths of the range above which nothing was opened and closed. */
const mostBetween = 0.5;

/**
 * Whether the signal keeps to the ends of its range, as a gripper does that opens and closes; what rests with the noise
 * of its sensor, or creeps, lies between them.
 */
export function keepsToEnds(
  { series }: Stream,
  dimension: number,
  [low, high]: readonly [number, number],
): boolean {
  if (series === undefined || !(high > low)) return false;
  const { values, dims } = series;
  const margin = 0.2 * (high - low);
  let between = 0;
  let count = 0;
  for (let at = dimension; at < values.length; at += dims) {
    count++;
    if (values[at] > low + margin && values[at] < high - margin) between++;
  }
  return between <= mostBetween * count;
}

const lags = [0, 3, 6, 10, 15, 20];

/** Largest and smallest correlation of a state with its action over lags of 0 to 20 rows; null when either rests. */
export function gripperCorrelation(
  state: GripperSignal,
  action: GripperSignal,
): { readonly largest: number; readonly smallest: number } | null {
  const n = state.stream.sample_count;
  if (n < 2 * lags[lags.length - 1]) return null;
  const s = scratch('gripper-state', n);
  const a = scratch('gripper-action', n);
  const measured = state.stream.series!;
  const commanded = action.stream.series!;
  for (let i = 0; i < n; i++) {
    const row = rowIn(action.stream, state.stream, i);
    s[i] = measured.values[i * measured.dims + state.dimension];
    a[i] = commanded.values[row * commanded.dims + action.dimension];
  }
  if (!standardise(s, n) || !standardise(a, n)) return null;
  let largest = -1;
  let smallest = 1;
  for (const lag of lags) {
    let r = 0;
    for (let i = lag; i < n; i++) r += a[i - lag] * s[i];
    if (r > largest) largest = r;
    if (r < smallest) smallest = r;
  }
  return { largest, smallest };
}

/** Mean zero and energy one, in place; what is not finite becomes zero. False where nothing varies. */
function standardise(x: Float64Array, n: number): boolean {
  let count = 0;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (x[i] - x[i] !== 0) continue;
    sum += x[i];
    count++;
  }
  if (count === 0) return false;
  const mean = sum / count;
  let energy = 0;
  for (let i = 0; i < n; i++) {
    const y = x[i] - mean;
    x[i] = y - y === 0 ? y : 0;
    energy += x[i] * x[i];
  }
  const scale = 1 / Math.sqrt(energy);
  for (let i = 0; i < n; i++) x[i] *= scale;
  return energy > 1e-18 * mean * mean * count;
}
