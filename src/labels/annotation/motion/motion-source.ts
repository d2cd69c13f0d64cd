import { type Kind, type Stream, type StreamRole, timesOf } from '#core/episode';
import { type Grippers, gripperDimensions } from './gripper-events.ts';

/** One dimension of a motion. */
export interface MotionColumn {
  readonly stream: Stream;
  readonly dimension: number;
  /** `rate`: a velocity; `place`: an angle, position or orientation, whose slope is the velocity. */
  readonly nature: Nature;
}

/** Streams that a motion is measured on: one role and one clock, so that nothing is resampled. */
export interface MotionSource {
  readonly role: StreamRole;
  readonly streams: readonly Stream[];
  /** Timestamps that the streams share, in seconds. */
  readonly time_s: Float64Array;
  readonly columns: readonly MotionColumn[];
}

type Nature = 'place' | 'rate';

/** Roles by priority for aircraft: the state estimate shows motion better than setpoints and motor outputs. */
const flightRoles: readonly StreamRole[] = ['odometry', 'attitude', 'imu', 'state', 'action'];
const defaultRoles: readonly StreamRole[] = ['state', 'action', 'odometry', 'attitude', 'imu', 'vehicle'];
/**
 * Roles for which velocities are preferred: motion sensors measure velocity better than its slope would; joints and
 * hands are known by position.
 */
const ratePreferringRoles: readonly StreamRole[] = ['odometry', 'attitude', 'imu', 'vehicle'];

/** Returns the roles that show an episode's motion, most informative first. */
export function rolesByPriority(kind: Kind): readonly StreamRole[] {
  return kind === 'aerial-flight' ? flightRoles : defaultRoles;
}

/**
 * Selects the best stream of a role and the others with its clock and nature, without gripper dimensions; `null` if
 * none shows motion.
 */
export function selectSource(
  role: StreamRole,
  streams: readonly Stream[],
  grippers: Grippers,
): MotionSource | null {
  let primary: Stream | null = null;
  let bestRank = 0;
  for (const stream of streams) {
    const rank = stream.role === role ? rankStream(stream) : 0;
    if (rank <= bestRank) continue;
    bestRank = rank;
    primary = stream;
  }
  if (primary === null) return null;
  const time_s = timesOf(primary)!;
  const nature = streamNature(primary);
  const joined = streams.filter(
    (stream) =>
      stream === primary ||
      (stream.role === role &&
        rankStream(stream) > 0 &&
        streamNature(stream) === nature &&
        haveSameStamps(timesOf(stream)!, time_s)),
  );
  const columns = joined.flatMap((stream) => motionColumns(stream, grippers));
  return columns.length === 0 ? null : { role, streams: joined, time_s, columns };
}

/** Ranks a stream: preferred nature first, then dimensions, then samples; 0 if it shows no motion. */
function rankStream(stream: Stream): number {
  const nature = streamNature(stream);
  if (nature === null || stream.series === undefined || stream.clock === null) return 0;
  const { values, dims } = stream.series;
  const samples = dims === 0 ? 0 : Math.min(timesOf(stream)!.length, Math.floor(values.length / dims));
  if (samples === 0) return 0;
  const preferred = (nature === 'rate') === ratePreferringRoles.includes(stream.role) ? 1e15 : 0;
  return preferred + Math.min(dims, 1000) * 1e10 + samples;
}

const rateUnitPattern = /\/\s*s$/;
const placeUnitPattern = /^(rad|deg|m|mm|cm|quaternion|normalised|mixed|unknown)$/;
const rateNamePattern = /vel|twist|speed|gyro|rates?\b/i;
const nonMotionPattern = /effort|torque|current|force|mag(netometer)?\b|magnet|temperature|thrust/i;

/**
 * Returns the nature of a stream by its unit, else by its name; `null` if it is no motion (efforts, magnetic fields).
 */
function streamNature({ id, unit: { unit } }: Stream): Nature | null {
  if (rateUnitPattern.test(unit)) return 'rate';
  if (!placeUnitPattern.test(unit) && !/s(²|\^2)$/.test(unit)) return null;
  const name = id.slice(id.lastIndexOf('/') + 1);
  if (nonMotionPattern.test(name)) return null;
  return rateNamePattern.test(name) ? 'rate' : 'place';
}

function motionColumns(stream: Stream, grippers: Grippers): MotionColumn[] {
  const { dims } = stream.series!;
  const gripperColumns = gripperDimensions(grippers, stream);
  const nature = streamNature(stream)!;
  const columns: MotionColumn[] = [];
  for (let dimension = 0; dimension < dims; dimension++)
    if (!gripperColumns.includes(dimension)) columns.push({ stream, dimension, nature });
  return columns;
}

/** Returns whether two streams have equal timestamps in every row. */
function haveSameStamps(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
