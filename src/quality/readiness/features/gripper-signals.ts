import type { Episode, GripperConvention, Stream } from '#core/episode';
import type { EpisodeFeatures } from './episode-features.ts';
import { findGripperDimensions } from './hand-dimensions.ts';
import { scratchBuffer } from './numeric.ts';
import { matchRow } from './stream-rows.ts';

/** A gripper dimension of a stream. */
export interface GripperSignal {
  readonly stream: Stream;
  readonly dimension: number;
  readonly range: readonly [number, number];
  /**
   * Full travel from closed to open, in the unit of the stream: from the declared convention, else the common
   * scale that fits its values.
   */
  readonly travel: number;
  readonly travel_evidence: GripperConvention['evidence'];
}

/** Returns all gripper dimensions of the numeric streams with a role. */
export function findGripperSignals(
  episode: Episode,
  features: EpisodeFeatures,
  role: 'state' | 'action',
): GripperSignal[] {
  return episode.streams
    .filter((stream) => stream.role === role && stream.series !== undefined)
    .flatMap((stream) =>
      findGripperDimensions(episode, stream)
        .filter((dimension) => dimension < stream.series!.dims)
        .map((dimension) => createGripperSignal(episode, features, stream, dimension)),
    );
}

function createGripperSignal(
  episode: Episode,
  features: EpisodeFeatures,
  stream: Stream,
  dimension: number,
): GripperSignal {
  const { minimum, maximum } = features.forStream(stream);
  const range = [minimum[dimension], maximum[dimension]] as const;
  const convention = episode.grippers.find(
    (gripper) => gripper.stream === stream.id && gripper.dimension === dimension,
  );
  const limits = convention === undefined ? null : parseConventionLimits(convention);
  return limits === null
    ? { stream, dimension, range, travel: guessTravel(range), travel_evidence: 'measured' }
    : { stream, dimension, range, travel: limits[1] - limits[0], travel_evidence: convention!.evidence };
}

/**
 * Parses the two ends of the scale from a convention's unit, as in `0..100 of calibrated travel`; `null` if the unit
 * names none or its evidence is unknown.
 */
export function parseConventionLimits({
  unit,
  evidence,
}: GripperConvention): readonly [number, number] | null {
  const ends = /(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)/.exec(unit);
  if (ends === null || evidence === 'unknown') return null;
  const [low, high] = [Number(ends[1]), Number(ends[2])];
  return high > low ? [low, high] : null;
}

/**
 * Returns the smallest common scale that fits the range: metres of a parallel gripper, 0..1, radians, per
 * cent or −100..100, bytes, encoder ticks. The range itself if none fits.
 */
function guessTravel([low, high]: readonly [number, number]): number {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  for (const travel of [0.08, 1, Math.PI, 100, 255, 1000]) if (reach <= 1.5 * travel) return travel;
  return high - low;
}

/** Counts how often the signal crosses from below 30 % of its range to above 70 %, or from above to below; opening and closing are two. */
export function countCrossings({ stream, dimension, range: [low, high] }: GripperSignal): number {
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

/**
 * Maximum fraction of samples in the middle three fifths of the range for a gripper that opens and closes.
 */
const maxMiddleShare = 0.5;

/**
 * Returns `true` if the signal is near an end of the range for most rows, as a gripper that opens and closes does;
 * sensor noise at rest, or creep, lies between them.
 */
export function staysAtEnds(
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
  return between <= maxMiddleShare * count;
}

const lagRows = [0, 3, 6, 10, 15, 20];

/**
 * Returns the largest and smallest correlation of a gripper's state with its action 0 to 20 rows earlier; `null` if
 * either is constant or too short.
 */
export function correlateGripper(
  state: GripperSignal,
  action: GripperSignal,
): { readonly largest: number; readonly smallest: number } | null {
  const n = state.stream.sample_count;
  if (n < 2 * lagRows[lagRows.length - 1]) return null;
  const s = scratchBuffer('gripper-state', n);
  const a = scratchBuffer('gripper-action', n);
  const measured = state.stream.series!;
  const commanded = action.stream.series!;
  for (let i = 0; i < n; i++) {
    const row = matchRow(action.stream, state.stream, i);
    s[i] = measured.values[i * measured.dims + state.dimension];
    a[i] = commanded.values[row * commanded.dims + action.dimension];
  }
  if (!standardise(s, n) || !standardise(a, n)) return null;
  let largest = -1;
  let smallest = 1;
  for (const lag of lagRows) {
    let r = 0;
    for (let i = lag; i < n; i++) r += a[i - lag] * s[i];
    if (r > largest) largest = r;
    if (r < smallest) smallest = r;
  }
  return { largest, smallest };
}

/**
 * Normalizes to zero mean and unit energy, in place; non-finite values become zero. Returns `false` if the
 * values do not vary.
 */
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
