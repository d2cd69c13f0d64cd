import type { Evidence, GripperConvention, Stream } from '#episode';

/** Robots whose gripper has a fixed convention in the LeRobot format. */
interface KnownGripper {
  readonly robot: RegExp;
  readonly range: readonly [number, number];
  readonly unit: string;
  readonly open_value: number;
  readonly reason: string;
}

const known: readonly KnownGripper[] = [
  {
    robot: /so[-_ ]?10[01]/i,
    range: [-5, 105],
    unit: '0..100 of calibrated travel',
    open_value: 100,
    reason: 'SO-100/101 calibration in LeRobot: 100 is meant to be open; a mirrored assembly turns it round',
  },
  {
    robot: /aloha/i,
    range: [-0.25, 1.25],
    unit: '0..1 of travel',
    open_value: 1,
    reason: 'ALOHA normalises the gripper to 0 closed, 1 open',
  },
  {
    robot: /droid/i,
    range: [-0.05, 1.05],
    unit: '0..1 closed',
    open_value: 0,
    reason: 'DROID records how far the gripper is closed: 0 is open',
  },
];

const gripperName = /(gripper|jaw|claw|finger_joint|(^|[._])grip)/i;

/**
 * Gripper dimensions of an episode's states and actions, found by name. Polarity is said only where the robot's own
 * convention fixes it and the numbers fit its range; it is never read off the numbers alone.
 */
export function grippersOf(streams: readonly Stream[], robot: string | null): GripperConvention[] {
  const found: GripperConvention[] = [];
  for (const stream of streams) {
    if ((stream.role !== 'state' && stream.role !== 'action') || stream.series === undefined) continue;
    for (let dimension = 0; dimension < stream.series.dims; dimension++) {
      const name = stream.names?.[dimension] ?? null;
      const named = name !== null ? gripperName.test(name) : isLastOfKnown(stream, dimension, robot);
      if (named) found.push(conventionOf(stream, dimension, name, robot));
    }
  }
  return found;
}

/** SO-100 and SO-101 have five joints and the gripper last, also where nobody wrote the names. */
function isLastOfKnown(stream: Stream, dimension: number, robot: string | null): boolean {
  if (stream.series === undefined || stream.series.dims !== 6 || dimension !== 5) return false;
  return stream.names === null && robot !== null && known[0].robot.test(robot);
}

function conventionOf(
  stream: Stream,
  dimension: number,
  name: string | null,
  robot: string | null,
): GripperConvention {
  const range = observedRange(stream, dimension);
  const row = robot === null ? undefined : known.find((entry) => entry.robot.test(robot));
  const fits = row !== undefined && range[0] >= row.range[0] && range[1] <= row.range[1];
  const base = { stream: stream.id, dimension, name, range_observed: range };
  if (row !== undefined && fits) {
    return {
      ...base,
      unit: row.unit,
      open_value: row.open_value,
      evidence: 'known_format',
      reason: row.reason,
    };
  }
  const reason =
    row === undefined
      ? 'neither the recording nor its format says which value is open'
      : `the values leave the range ${row.range[0]}..${row.range[1]} of the robot's known convention`;
  const evidence: Evidence = 'unknown';
  return { ...base, unit: 'unknown', open_value: null, evidence, reason };
}

function observedRange(stream: Stream, dimension: number): readonly [number, number] {
  if (stream.series === undefined) return [0, 0];
  const { values, dims } = stream.series;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = dimension; at < values.length; at += dims) {
    const value = values[at];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [0, 0];
}
