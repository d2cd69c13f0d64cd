import type { Stream } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import { createGrid, groupRuns, type LabelledRun, movingAverage, resample } from './signal-grid.ts';

/**
 * Driving manoeuvre:
 * - `stop`: stands still;
 * - `turn_left`, `turn_right`: turns faster than the limit, by gyroscope or steering wheel;
 * - `brake`, `accelerate`: changes speed faster than the limit;
 * - `drive`: none of these.
 */
export type DriveManoeuvre = 'stop' | 'turn_left' | 'turn_right' | 'brake' | 'accelerate' | 'drive';

/**
 * Limits that define the manoeuvres: speeds in m/s and rad/s, acceleration in m/s², steering wheel angle in degrees.
 */
export const manoeuvreLimits = {
  change_m_per_s2: 0.7,
  stands_m_per_s: 0.3,
  steering_deg: 45,
  turn_rad_per_s: 0.12,
} as const;

const gridStep_s = 0.2;
/** Half width of the moving average, in steps. */
const halfWindow_steps = 2;
const minManoeuvre_s = 1;

/**
 * Returns the manoeuvres of a drive (stop, turn, accelerate, brake, drive) as consecutive runs; `null` for other
 * kinds, or without a speed stream.
 */
export function driveManoeuvres({
  facts,
  streams,
}: LaneEpisode): readonly LabelledRun<DriveManoeuvre>[] | null {
  if (facts.kind.kind !== 'drive-log') return null;
  const speedOf = streams.find(
    ({ role, unit: { unit }, names }) =>
      role === 'vehicle' && /^m\/s$/.test(unit) && names?.length === 1 && /speed/i.test(names[0]),
  );
  const grid = speedOf === undefined ? null : createGrid(speedOf, gridStep_s);
  if (speedOf === undefined || grid === null) return null;
  const speed = movingAverage(resample(speedOf, 0, grid), halfWindow_steps);
  const turning = findTurnSignal(streams);
  const turns =
    turning === null
      ? null
      : movingAverage(resample(turning.stream, turning.dimension, grid), halfWindow_steps);
  const { change_m_per_s2, stands_m_per_s } = manoeuvreLimits;
  const labels = Array.from({ length: grid.count }, (_, at): DriveManoeuvre => {
    if (speed[at] < stands_m_per_s) return 'stop';
    const turn = turning === null || turns === null ? 0 : (turning.sign * turns[at]) / turning.limit;
    if (Math.abs(turn) > 1) return turn > 0 ? 'turn_left' : 'turn_right';
    const [before, after] = [
      Math.max(0, at - halfWindow_steps),
      Math.min(grid.count - 1, at + halfWindow_steps),
    ];
    const change = (speed[after] - speed[before]) / ((after - before) * gridStep_s);
    return change > change_m_per_s2 ? 'accelerate' : change < -change_m_per_s2 ? 'brake' : 'drive';
  });
  return groupRuns(labels, grid, minManoeuvre_s);
}

interface TurnSignal {
  readonly stream: Stream;
  readonly dimension: number;
  /** Minimum absolute value of a turn. */
  readonly limit: number;
  /** 1 if positive values are to the left, −1 if to the right. */
  readonly sign: 1 | -1;
}

/**
 * Returns the turn signal: a gyroscope axis named `down` if there is one, else a steering wheel angle, positive to
 * the left (comma2k19); `null` without either.
 */
function findTurnSignal(streams: readonly Stream[]): TurnSignal | null {
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
