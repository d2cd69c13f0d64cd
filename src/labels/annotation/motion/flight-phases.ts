import type { Stream } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import {
  createGrid,
  type Grid,
  groupRuns,
  type LabelledRun,
  movingAverage,
  resample,
} from './signal-grid.ts';

/**
 * Flight phase:
 * - `ground`: the autopilot reports that it has landed; without such reports, it rests at its lowest altitude;
 * - `take_off`: climbs from the ground faster than `leads_m_per_s`, until `low_m` above it or until it stops
 *   climbing;
 * - `landing`: the final descent to the ground, from at most `low_m` above it;
 * - `climb`, `descent`: vertical speed exceeds `vertical_m_per_s`;
 * - `cruise`: horizontal speed exceeds `forth_m_per_s`;
 * - `hover`: none of these.
 */
export type FlightPhase = 'ground' | 'take_off' | 'climb' | 'cruise' | 'hover' | 'descent' | 'landing';

/** Limits that define the phases, in m and m/s. */
export const phaseLimits = {
  forth_m_per_s: 1,
  leads_m_per_s: 0.2,
  low_m: 3,
  rest_m: 0.5,
  rest_m_per_s: 0.2,
  vertical_m_per_s: 0.5,
} as const;

const gridStep_s = 0.2;
/** Half width of the moving average, in steps. */
const halfWindow_steps = 2;
/** Minimum duration of a phase; shorter ones are merged into the previous one. */
const minPhase_s = 1;

/**
 * Returns the phases of a flight (ground, climb, descent, cruise …) as consecutive runs; `null` for other kinds, or
 * without position and velocity in north, east, down.
 */
export function flightPhases({ facts, streams }: LaneEpisode): readonly LabelledRun<FlightPhase>[] | null {
  if (facts.kind.kind !== 'aerial-flight') return null;
  const found = findNedStreams(streams);
  const grid = found === null ? null : createGrid(found.velocity, gridStep_s);
  if (found === null || grid === null) return null;
  const [north, east, down] = [0, 1, 2].map((own) =>
    movingAverage(resample(found.velocity, own, grid), halfWindow_steps),
  );
  const depth = resample(found.position, 2, grid);
  const landed = landedFlag(streams, grid);
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
  labelTakeOffsAndLandings(labels, depth, down);
  return groupRuns(labels, grid, minPhase_s);
}

/** Maximum pauses in steps: within a climb or descent, and at the ground before or after it. */
const maxPauses_steps = { within: 5, beside: 25 } as const;

/** Labels take-offs and landings in place. `depth` is the position below the start and `down` the sink rate. */
function labelTakeOffsAndLandings(labels: FlightPhase[], depth: Float64Array, down: Float64Array): void {
  const { leads_m_per_s, low_m } = phaseLimits;
  const grounds = labels.map((label) => label === 'ground');
  /**
   * Walks from an airborne step away from the ground next to it; returns the last step that still climbs (`direction`
   * 1) or already sinks (−1), `null` if none does.
   */
  const leading = (from: number, direction: 1 | -1): number | null => {
    const ground = depth[from - direction];
    let last: number | null = null;
    for (let at = from; at >= 0 && at < labels.length && !grounds[at]; at += direction) {
      if (
        ground - depth[at] > low_m ||
        Math.abs(at - (last ?? from)) > (last === null ? maxPauses_steps.beside : maxPauses_steps.within)
      )
        break;
      if (-direction * down[at] > leads_m_per_s) last = at;
    }
    return last;
  };
  for (let at = 1; at < labels.length; at++)
    if (grounds[at - 1] && !grounds[at]) labels.fill('take_off', at, (leading(at, 1) ?? at - 1) + 1);
  for (let at = labels.length - 2; at >= 0; at--)
    if (grounds[at + 1] && !grounds[at]) labels.fill('landing', leading(at, -1) ?? at + 1, at + 1);
}

interface NedStreams {
  readonly position: Stream;
  readonly velocity: Stream;
}

/** Stream and field names of position and velocity in north, east, down: PX4 and ArduPilot. */
const nedFieldNames = [
  { id: /^vehicle_local_position\./, position: ['x', 'y', 'z'], velocity: ['vx', 'vy', 'vz'] },
  { id: /^(XKF1|NKF1|EKF1)/, position: ['PN', 'PE', 'PD'], velocity: ['VN', 'VE', 'VD'] },
] as const;

function findNedStreams(streams: readonly Stream[]): NedStreams | null {
  for (const { id, position, velocity } of nedFieldNames) {
    const of = (expected: readonly string[]) =>
      streams.find((stream) => id.test(stream.id) && stream.names?.join() === expected.join());
    const [where, how] = [of(position), of(velocity)];
    if (where !== undefined && how !== undefined) return { position: where, velocity: how };
  }
  return null;
}

/** Returns the autopilot's landed flag on the grid, backfilled before its first value; `null` if it reports none. */
function landedFlag(streams: readonly Stream[], grid: Grid): Float64Array | null {
  const stream = streams.find(({ id, names: own }) => /land_detected/.test(id) && own?.includes('landed'));
  if (stream === undefined) return null;
  const landed = resample(stream, stream.names!.indexOf('landed'), grid);
  const first = landed.find((value) => !Number.isNaN(value));
  return first === undefined ? null : landed.map((value) => (Number.isNaN(value) ? first : value));
}
