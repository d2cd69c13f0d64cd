import type { Stream } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import { gridOver, onGrid, type Run, runsOf, smoothed } from './signal-grid.ts';

/**
 * - `stop`: it stands;
 * - `turn_left`, `turn_right`: it goes round faster than `turn`, by its gyroscope or its steering wheel;
 * - `brake`, `accelerate`: its speed changes faster than `change`;
 * - `drive`: none of these.
 */
export type DriveManoeuvre = 'stop' | 'turn_left' | 'turn_right' | 'brake' | 'accelerate' | 'drive';

/** Metres a second, metres a second squared, radians a second, degrees of the steering wheel. */
export const manoeuvreLimits = {
  change_m_per_s2: 0.7,
  stands_m_per_s: 0.3,
  steering_deg: 45,
  turn_rad_per_s: 0.12,
} as const;

const step_s = 0.2;
/** Steps before and after over which speed and turning are averaged. */
const around = 2;
const leastManoeuvre_s = 1;

/** What a vehicle does, one thing after the other; null: no stream says how fast it is. */
export function driveManoeuvres({ facts, streams }: LaneEpisode): readonly Run<DriveManoeuvre>[] | null {
  if (facts.kind.kind !== 'drive-log') return null;
  const speedOf = streams.find(
    ({ role, unit: { unit }, names }) =>
      role === 'vehicle' && /^m\/s$/.test(unit) && names?.length === 1 && /speed/i.test(names[0]),
  );
  const grid = speedOf === undefined ? null : gridOver(speedOf, step_s);
  if (speedOf === undefined || grid === null) return null;
  const speed = smoothed(onGrid(speedOf, 0, grid), around);
  const turning = turningOf(streams);
  const turns = turning === null ? null : smoothed(onGrid(turning.stream, turning.dimension, grid), around);
  const { change_m_per_s2, stands_m_per_s } = manoeuvreLimits;
  const labels = Array.from({ length: grid.count }, (_, at): DriveManoeuvre => {
    if (speed[at] < stands_m_per_s) return 'stop';
    const turn = turning === null || turns === null ? 0 : (turning.sign * turns[at]) / turning.limit;
    if (Math.abs(turn) > 1) return turn > 0 ? 'turn_left' : 'turn_right';
    const [before, after] = [Math.max(0, at - around), Math.min(grid.count - 1, at + around)];
    const change = (speed[after] - speed[before]) / ((after - before) * step_s);
    return change > change_m_per_s2 ? 'accelerate' : change < -change_m_per_s2 ? 'brake' : 'drive';
  });
  return runsOf(labels, grid, leastManoeuvre_s);
}

interface Turning {
  readonly stream: Stream;
  readonly dimension: number;
  /** What counts as a turn. */
  readonly limit: number;
  /** 1: positive to the left. */
  readonly sign: 1 | -1;
}

/** A gyroscope with an axis down before a steering wheel, whose positive is the left (comma2k19). */
function turningOf(streams: readonly Stream[]): Turning | null {
  for (const stream of streams) {
    const dimension = stream.names?.indexOf('down') ?? -1;
    if (stream.role === 'imu' && stream.unit.unit === 'rad/s' && dimension >= 0)
      return { stream, dimension, limit: manoeuvreLimits.turn_rad_per_s, sign: -1 };
  }
  const wheel = streams.find(
    ({ role, unit: { unit }, names }) =>
      role === 'vehicle' && unit === 'deg' && names?.length === 1 && /steering/i.test(names[0]),
  );
  if (wheel === undefined) return null;
  return { stream: wheel, dimension: 0, limit: manoeuvreLimits.steering_deg, sign: 1 };
}
