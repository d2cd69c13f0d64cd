import { recordedRoles, type Stream, timesOf } from '#core/episode';
import type { FlightPhase } from '../../motion/flight-phases.ts';
import { type GripperTrack, turningPoints } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import type { LabelledRun } from '../../motion/signal-grid.ts';

/** Minimum ratio between a speed minimum and the peaks on both sides. */
const minSlowdown = 2.5;

/** Returns both ends of a span of at least `minSpan_s`; of a shorter one, its midpoint. */
function spanEdges(
  { from_s, to_s }: TimeSpan,
  minSpan_s: number,
  middle_s: number,
  boundary: Omit<Boundary, 'at_s'>,
): Boundary[] {
  const at = to_s - from_s >= minSpan_s ? [from_s, to_s] : [middle_s];
  return at.map((at_s) => ({ ...boundary, at_s }));
}

/** Returns the ranges of `extent`, of at least `minSpan_s`, in which motion was not observed. */
export function unobservedSpans(motion: Motion, extent: Extent, minSpan_s: number): TimeSpan[] {
  const { from_s, to_s, ranges } = motion.bins;
  const spans: TimeSpan[] = [];
  let since_s = extent.from_s;
  for (const [from, to] of ranges) {
    if (from_s[from] - since_s >= minSpan_s) spans.push({ from_s: since_s, to_s: from_s[from] });
    since_s = to_s[to - 1];
  }
  if (extent.to_s - since_s >= minSpan_s) spans.push({ from_s: since_s, to_s: extent.to_s });
  return spans;
}

/** Events at known times, independent of the motion. */
export interface KnownEvents {
  readonly tracks: readonly GripperTrack[];
  /** Times of scene cuts. */
  readonly cuts_s: readonly number[];
  /** Flight phases; empty for other kinds. */
  readonly phases: readonly LabelledRun<FlightPhase>[];
}

/**
 * Returns the times at which a segment may begin or end, unordered: events of the gripper, scene cuts,
 * flight phases, rests, minima of the speed, and the ends of unobserved spans; all but change points.
 */
export function findCandidates(
  motion: Motion,
  { tracks, cuts_s, phases }: KnownEvents,
  unobserved: readonly TimeSpan[],
  minSpan_s: number,
): Boundary[] {
  const [{ id }] = motion.source.streams;
  const ofAll = (type: BoundaryType, strength: number) => ({
    type,
    strength,
    stream: id,
    dimension: null,
    change: null,
  });
  const { from_s, to_s, middle_s } = motion.bins;
  return [
    ...unobserved.flatMap((span) => spanEdges(span, 0, span.from_s, ofAll('unobserved', 1))),
    ...cuts_s.map((at_s) => ({ ...ofAll('scene_cut', 1), at_s })),
    ...phases.slice(1).map(({ from_s: at_s }) => ({ ...ofAll('flight_phase', 1), at_s })),
    ...tracks.flatMap((track) => gripperBoundaries(track, minSpan_s)),
    ...motion.rests.flatMap(([from, to]) => {
      const span = { from_s: from_s[from], to_s: to_s[to - 1] };
      const lasts_s = span.to_s - span.from_s;
      return spanEdges(
        span,
        minSpan_s,
        (span.from_s + span.to_s) / 2,
        ofAll('still', lasts_s / (lasts_s + 1)),
      );
    }),
    ...speedMinima(motion).map(([from, to, depth]) => ({
      ...ofAll('speed_minimum', depth),
      at_s: (middle_s[from] + middle_s[to]) / 2,
    })),
  ];
}

function gripperBoundaries({ stream, dimension, events }: GripperTrack, minSpan_s: number): Boundary[] {
  return events.flatMap((event) =>
    spanEdges(event, minSpan_s, event.middle_s, {
      type: 'gripper',
      strength: event.snap,
      stream: stream.id,
      dimension,
      change: event.change,
    }),
  );
}

/** Returns first bin, last bin and relative depth of each speed minimum. */
function speedMinima({
  bins,
  speed,
  rest_speed,
  typical_speed,
}: Motion): [from: number, to: number, depth: number][] {
  if (!(typical_speed > 0)) return [];
  const logarithm = new Float64Array(speed.length);
  // Speeds below the rest speed are flattened, since minima there are noise.
  for (let b = 0; b < speed.length; b++) logarithm[b] = Math.log2(Math.max(speed[b], rest_speed));
  return bins.ranges.flatMap(([first, last]) => {
    const turns = turningPoints(logarithm, first, last, Math.log2(minSlowdown));
    return turns.flatMap((turn, i): [number, number, number][] => {
      if (turn.is_peak || i === 0 || i === turns.length - 1) return [];
      const peak = Math.min(turns[i - 1].value, turns[i + 1].value);
      return [[turn.from, turn.to, 1 - 2 ** (turn.value - peak)]];
    });
  });
}

/** A time range, in seconds on the episode's clock. */
export interface Extent {
  readonly from_s: number;
  readonly to_s: number;
}

/**
 * Returns the range from the first to the last timestamp of all recorded streams, plus one mean step after the last
 * row of `main` (of any stream if `null`); `null` without timestamps.
 */
export function recordedExtent(streams: readonly Stream[], main: Float64Array | null): Extent | null {
  const seen = new Set<Float64Array>();
  let from_s = Infinity;
  let to_s = -Infinity;
  for (const stream of streams) {
    const times = timesOf(stream);
    if (times === null || seen.has(times) || !recordedRoles.has(stream.role)) continue;
    seen.add(times);
    const [first, last] = finiteEnds(times);
    if (!(last >= first)) continue;
    const isMain = main === null || times === main;
    const step_s = isMain && times.length > 1 ? (last - first) / (times.length - 1) : 0;
    from_s = Math.min(from_s, first);
    to_s = Math.max(to_s, last + step_s);
  }
  return to_s >= from_s ? { from_s, to_s } : null;
}

function finiteEnds(times: Float64Array): [first: number, last: number] {
  let first = Infinity;
  let last = -Infinity;
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    if (time < first && time > -Infinity) first = time;
    if (time > last && time < Infinity) last = time;
  }
  return [first, last];
}

/**
 * Why a span ends, highest priority first:
 * - `unobserved`: the numbers stop or start again (gap of the clock, rows without numbers); strength 1;
 * - `scene_cut`: the picture changes to another scene; strength 1;
 * - `flight_phase`: a flight changes phase; strength 1;
 * - `gripper`: a gripper opens or closes; strength: fraction of its range covered in the half second around the
 *   midpoint;
 * - `still`: motion ends or begins; strength: t / (t + 1 s) for a rest of t seconds;
 * - `speed_minimum`: speed drops below 40 % of the peaks on both sides; strength: 1 − minimum speed / the lower peak;
 * - `change_point`: mean and variance of velocity change; strength: g / (g + p), with g the net gain of the cut and p
 *   the price of its place.
 */
type BoundaryType =
  | 'unobserved'
  | 'scene_cut'
  | 'flight_phase'
  | 'gripper'
  | 'still'
  | 'speed_minimum'
  | 'change_point';

/** A candidate cut of the episode. */
export interface Boundary {
  readonly at_s: number;
  readonly type: BoundaryType;
  /** 0 to 1. */
  readonly strength: number;
  readonly stream: string;
  /** Gripper dimension; `null` if the cut is based on all motion. */
  readonly dimension: number | null;
  /** Gripper change; `null` if no gripper is involved. */
  readonly change: 'open' | 'close' | 'unknown' | null;
}

/** A time range. */
export interface TimeSpan {
  readonly from_s: number;
  readonly to_s: number;
}

/** Priority of boundary types that are too close together; lower wins. */
export const boundaryPriority: Readonly<Record<BoundaryType, number>> = {
  unobserved: 0,
  scene_cut: 1,
  flight_phase: 2,
  gripper: 3,
  still: 4,
  speed_minimum: 5,
  change_point: 6,
};
