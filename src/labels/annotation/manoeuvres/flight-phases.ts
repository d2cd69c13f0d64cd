import type { Stream } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import { type Grid, gridOver, onGrid, type Run, runsOf, smoothed } from './signal-grid.ts';

/**
 * - `ground`: the autopilot says that it has landed; where it says nothing, it rests as low as it ever does;
 * - `take_off`: it rises from the ground faster than `leads`, until it is `low` above it or rises no more;
 * - `landing`: it sinks the last of its way to the ground, from at most `low` above it;
 * - `climb`, `descent`: it goes up or down faster than `vertical`;
 * - `cruise`: it goes forth faster than `forth`; `hover`: none of these.
 */
export type FlightPhase = 'ground' | 'take_off' | 'climb' | 'cruise' | 'hover' | 'descent' | 'landing';

/** Metres, and metres a second. */
export const phaseLimits = {
  forth_m_per_s: 1,
  leads_m_per_s: 0.2,
  low_m: 3,
  rest_m: 0.5,
  rest_m_per_s: 0.2,
  vertical_m_per_s: 0.5,
} as const;

const step_s = 0.2;
/** Steps before and after over which velocities are averaged. */
const around = 2;
/** A shorter phase is part of the one before it. */
const leastPhase_s = 1;

/** Phases of a flight one after the other; null: it does not record position and velocity north, east and down. */
export function flightPhases({ facts, streams }: LaneEpisode): readonly Run<FlightPhase>[] | null {
  if (facts.kind.kind !== 'aerial-flight') return null;
  const found = downward(streams);
  const grid = found === null ? null : gridOver(found.velocity, step_s);
  if (found === null || grid === null) return null;
  const [north, east, down] = [0, 1, 2].map((own) => smoothed(onGrid(found.velocity, own, grid), around));
  const depth = onGrid(found.position, 2, grid);
  const landed = landedOn(streams, grid);
  const lowest = depth.reduce((most, value) => (value > most ? value : most), Number.NEGATIVE_INFINITY);
  const { forth_m_per_s, rest_m, rest_m_per_s, vertical_m_per_s } = phaseLimits;
  const labels = Array.from({ length: grid.count }, (_, at): FlightPhase => {
    const speed = Math.hypot(north[at], east[at], down[at]);
    const rests = speed < rest_m_per_s && lowest - depth[at] < rest_m;
    if (landed === null ? rests : landed[at] > 0.5) return 'ground';
    if (down[at] < -vertical_m_per_s) return 'climb';
    if (down[at] > vertical_m_per_s) return 'descent';
    return Math.hypot(north[at], east[at]) > forth_m_per_s ? 'cruise' : 'hover';
  });
  nameEnds(labels, depth, down);
  return runsOf(labels, grid, leastPhase_s);
}

/** Steps that a climb or a sinking may pause, and that it may wait at the ground. */
const pauses = { within: 5, beside: 25 } as const;

/** Names what leads from the ground and to it. `depth` and `down`: below the start, and how fast it sinks. */
function nameEnds(labels: FlightPhase[], depth: Float64Array, down: Float64Array): void {
  const { leads_m_per_s, low_m } = phaseLimits;
  const grounds = labels.map((label) => label === 'ground');
  /** From a step in the air away from the ground beside it: the last step that still rises (`way` 1) or already sinks. */
  const leading = (from: number, way: 1 | -1): number | null => {
    const ground = depth[from - way];
    let last: number | null = null;
    for (let at = from; at >= 0 && at < labels.length && !grounds[at]; at += way) {
      if (
        ground - depth[at] > low_m ||
        Math.abs(at - (last ?? from)) > (last === null ? pauses.beside : pauses.within)
      )
        break;
      if (-way * down[at] > leads_m_per_s) last = at;
    }
    return last;
  };
  for (let at = 1; at < labels.length; at++)
    if (grounds[at - 1] && !grounds[at]) labels.fill('take_off', at, (leading(at, 1) ?? at - 1) + 1);
  for (let at = labels.length - 2; at >= 0; at--)
    if (grounds[at + 1] && !grounds[at]) labels.fill('landing', leading(at, -1) ?? at + 1, at + 1);
}

interface Downward {
  readonly position: Stream;
  readonly velocity: Stream;
}

/** Names by which autopilots call position and velocity north, east and down: PX4, ArduPilot. */
const names = [
  { id: /^vehicle_local_position\./, position: ['x', 'y', 'z'], velocity: ['vx', 'vy', 'vz'] },
  { id: /^(XKF1|NKF1|EKF1)/, position: ['PN', 'PE', 'PD'], velocity: ['VN', 'VE', 'VD'] },
] as const;

function downward(streams: readonly Stream[]): Downward | null {
  for (const { id, position, velocity } of names) {
    const of = (wanted: readonly string[]) =>
      streams.find((stream) => id.test(stream.id) && stream.names?.join() === wanted.join());
    const [where, how] = [of(position), of(velocity)];
    if (where !== undefined && how !== undefined) return { position: where, velocity: how };
  }
  return null;
}

/** What the autopilot says of being on the ground, from its first word on; null: it says nothing. */
function landedOn(streams: readonly Stream[], grid: Grid): Float64Array | null {
  const stream = streams.find(({ id, names: own }) => /land_detected/.test(id) && own?.includes('landed'));
  if (stream === undefined) return null;
  const landed = onGrid(stream, stream.names!.indexOf('landed'), grid);
  const first = landed.find((value) => !Number.isNaN(value));
  return first === undefined ? null : landed.map((value) => (Number.isNaN(value) ? first : value));
}
