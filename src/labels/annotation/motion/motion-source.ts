import { type Kind, type Stream, type StreamRole, timesOf } from '#core/episode';
import { type Grippers, gripperDimensions } from './gripper-dimensions.ts';

/** One number of the motion that is looked at. */
export interface MotionColumn {
  readonly stream: Stream;
  readonly dimension: number;
  /** A `rate` is a velocity as it stands; a `place` (angle, position, orientation) is one after taking its slope. */
  readonly nature: Nature;
}

/** Whose motion is looked at: streams of one role and one clock, so that nothing has to be resampled. */
export interface MotionSource {
  readonly role: StreamRole;
  readonly streams: readonly Stream[];
  /** The stamps that these streams share, in seconds. */
  readonly time_s: Float64Array;
  readonly columns: readonly MotionColumn[];
}

type Nature = 'place' | 'rate';

/** An aircraft's setpoints and motor outputs say less of its motion than what it estimates of itself. */
const flightRoles: readonly StreamRole[] = ['odometry', 'attitude', 'imu', 'state', 'action'];
const otherRoles: readonly StreamRole[] = ['state', 'action', 'odometry', 'attitude', 'imu', 'vehicle'];
/** Sensors of motion measure velocity better than its slope tells; joints and hands are known by where they are. */
const prefersRate: readonly StreamRole[] = ['odometry', 'attitude', 'imu', 'vehicle'];

/** Whose streams tell the motion of an episode, best first: its state, what it was told, what it sensed. */
export function rolesOf(kind: Kind): readonly StreamRole[] {
  return kind === 'aerial-flight' ? flightRoles : otherRoles;
}

/** The streams of one role that tell its motion, grippers aside; null where there are none. */
export function sourceOf(
  role: StreamRole,
  streams: readonly Stream[],
  grippers: Grippers,
): MotionSource | null {
  let primary: Stream | null = null;
  let bestRank = 0;
  for (const stream of streams) {
    const rank = stream.role === role ? rankOf(stream) : 0;
    if (rank <= bestRank) continue;
    bestRank = rank;
    primary = stream;
  }
  if (primary === null) return null;
  const time_s = timesOf(primary)!;
  const nature = natureOf(primary);
  const joined = streams.filter(
    (stream) =>
      stream === primary ||
      (stream.role === role &&
        rankOf(stream) > 0 &&
        natureOf(stream) === nature &&
        sameStamps(timesOf(stream)!, time_s)),
  );
  const columns = joined.flatMap((stream) => armColumns(stream, grippers));
  return columns.length === 0 ? null : { role, streams: joined, time_s, columns };
}

/** 0: no motion in it. More dimensions before more samples; the preferred nature before both. */
function rankOf(stream: Stream): number {
  const nature = natureOf(stream);
  if (nature === null || stream.series === undefined || stream.clock === null) return 0;
  const { values, dims } = stream.series;
  const samples = dims === 0 ? 0 : Math.min(timesOf(stream)!.length, Math.floor(values.length / dims));
  if (samples === 0) return 0;
  const preferred = (nature === 'rate') === prefersRate.includes(stream.role) ? 1e15 : 0;
  return preferred + Math.min(dims, 1000) * 1e10 + samples;
}

const rateUnit = /\/\s*s$/;
const placeUnit = /^(rad|deg|m|mm|cm|quaternion|normalised|mixed|unknown)$/;
const rateWords = /vel|twist|speed|gyro|rates?\b/i;
const noMotion = /effort|torque|current|force|mag(netometer)?\b|magnet|temperature|thrust/i;

/** By its unit, or by its name where that says nothing; null for what is no motion (efforts, magnetic fields). */
function natureOf({ id, unit: { unit } }: Stream): Nature | null {
  if (rateUnit.test(unit)) return 'rate';
  if (!placeUnit.test(unit) && !/s(²|\^2)$/.test(unit)) return null;
  const name = id.slice(id.lastIndexOf('/') + 1);
  if (noMotion.test(name)) return null;
  return rateWords.test(name) ? 'rate' : 'place';
}

function armColumns(stream: Stream, grippers: Grippers): MotionColumn[] {
  const { dims } = stream.series!;
  const hands = gripperDimensions(grippers, stream);
  const nature = natureOf(stream)!;
  const columns: MotionColumn[] = [];
  for (let dimension = 0; dimension < dims; dimension++)
    if (!hands.includes(dimension)) columns.push({ stream, dimension, nature });
  return columns;
}

/** Whether row i of both was taken at the same time. */
function sameStamps(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
