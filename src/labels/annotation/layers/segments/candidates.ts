import type { FlightPhase } from '../../manoeuvres/flight-phases.ts';
import type { Run } from '../../manoeuvres/signal-grid.ts';
import type { Extent } from '../../motion/extent.ts';
import type { GripperTrack } from '../../motion/gripper-events.ts';
import { turningPoints } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import type { Boundary, BoundaryType, MarkedSpan } from './boundary.ts';

/** It slows down by this factor from the peaks on both sides. */
const leastSlowing = 2.5;

/** Both ends of a span that is long enough to stand alone; of a shorter one, its middle. */
function edges(
  { from_s, to_s }: MarkedSpan,
  shortest_s: number,
  middle_s: number,
  boundary: Omit<Boundary, 'at_s'>,
): Boundary[] {
  const at = to_s - from_s >= shortest_s ? [from_s, to_s] : [middle_s];
  return at.map((at_s) => ({ ...boundary, at_s }));
}

/** Ranges in which the motion was not observed, as long as a span must be. */
export function unobservedSpans(motion: Motion, extent: Extent, shortest_s: number): MarkedSpan[] {
  const { from_s, to_s, ranges } = motion.bins;
  const spans: MarkedSpan[] = [];
  let since_s = extent.from_s;
  for (const [from, to] of ranges) {
    if (from_s[from] - since_s >= shortest_s) spans.push({ from_s: since_s, to_s: from_s[from] });
    since_s = to_s[to - 1];
  }
  if (extent.to_s - since_s >= shortest_s) spans.push({ from_s: since_s, to_s: extent.to_s });
  return spans;
}

/** What is known to happen at a time, whatever the motion. */
export interface Marks {
  readonly tracks: readonly GripperTrack[];
  /** Begins of other scenes in a picture. */
  readonly cuts_s: readonly number[];
  /** Of a flight. */
  readonly phases: readonly Run<FlightPhase>[];
}

/** Every place at which an episode may be cut but for changes of motion, in no order. */
export function candidatesOf(
  motion: Motion,
  { tracks, cuts_s, phases }: Marks,
  unobserved: readonly MarkedSpan[],
  shortest_s: number,
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
    ...unobserved.flatMap((span) => edges(span, 0, span.from_s, ofAll('unobserved', 1))),
    ...cuts_s.map((at_s) => ({ ...ofAll('scene_cut', 1), at_s })),
    ...phases.slice(1).map(({ from_s: at_s }) => ({ ...ofAll('flight_phase', 1), at_s })),
    ...tracks.flatMap((track) => gripperBoundaries(track, shortest_s)),
    ...motion.still.flatMap(([from, to]) => {
      const span = { from_s: from_s[from], to_s: to_s[to - 1] };
      const lasts_s = span.to_s - span.from_s;
      return edges(span, shortest_s, (span.from_s + span.to_s) / 2, ofAll('still', lasts_s / (lasts_s + 1)));
    }),
    ...speedMinima(motion).map(([from, to, depth]) => ({
      ...ofAll('speed_minimum', depth),
      at_s: (middle_s[from] + middle_s[to]) / 2,
    })),
  ];
}

function gripperBoundaries({ stream, dimension, events }: GripperTrack, shortest_s: number): Boundary[] {
  return events.flatMap((event) =>
    edges(event, shortest_s, event.middle_s, {
      type: 'gripper',
      strength: event.snap,
      stream: stream.id,
      dimension,
      change: event.change,
    }),
  );
}

/** First and last bin of each minimum of the speed, and how deep it is. */
function speedMinima({ bins, speed, rest, typical }: Motion): [from: number, to: number, depth: number][] {
  if (!(typical > 0)) return [];
  const logarithm = new Float64Array(speed.length);
  // Below the speed of rest there is nothing to tell a minimum by; it is then flat.
  for (let b = 0; b < speed.length; b++) logarithm[b] = Math.log2(Math.max(speed[b], rest));
  return bins.ranges.flatMap(([first, last]) => {
    const turns = turningPoints(logarithm, first, last, Math.log2(leastSlowing));
    return turns.flatMap((turn, i): [number, number, number][] => {
      if (turn.is_peak || i === 0 || i === turns.length - 1) return [];
      const peak = Math.min(turns[i - 1].value, turns[i + 1].value);
      return [[turn.from, turn.to, 1 - 2 ** (turn.value - peak)]];
    });
  });
}
