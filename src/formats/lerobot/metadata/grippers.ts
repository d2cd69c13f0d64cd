import type { JsonObject } from '#core';
import type { GripperConvention } from '#core/episode';
import type { ColumnPlan } from '../read/episodes/column-plan.ts';
import type { ReadColumn } from '../read/episodes/row-reader.ts';
import { readRanges } from '../read/episodes/units.ts';

/** A robot whose gripper has a fixed convention in the LeRobot format. */
interface KnownGripper {
  readonly robot: RegExp;
  /** Range of the scale; calibrated travel may exceed it by some per cent. */
  readonly scale: readonly [number, number];
  readonly unit: string;
  readonly open_value: number;
  readonly reason: string;
}

/** Robots with a known gripper convention. */
const knownGrippers: readonly KnownGripper[] = [
  {
    robot: /so[-_ ]?10[01]/i,
    scale: [0, 100],
    unit: '0..100 of calibrated travel',
    open_value: 100,
    reason: 'LeRobot calibration of the SO-100/101: 100 means open; a mirrored assembly inverts this',
  },
  {
    robot: /aloha/i,
    scale: [0, 1],
    unit: '0..1 of travel',
    open_value: 1,
    reason: 'ALOHA normalises the gripper position: 0 is closed, 1 is open',
  },
  {
    robot: /droid/i,
    scale: [0, 1],
    unit: '0..1 closed',
    open_value: 0,
    reason: 'DROID records how far the gripper is closed: 0 is open, 1 is closed',
  },
];

/** Dimension names of grippers. */
const gripperName = /(gripper|jaw|claw|finger_joint|(^|[._])grip)/i;

/** A dimension that is a gripper. */
export interface GripperDimension {
  readonly dimension: number;
  readonly name: string | null;
  /** Known convention of the robot; null if there is none. */
  readonly known: KnownGripper | null;
  /** Minimum and maximum over the whole set from its statistics; null if unknown. */
  readonly set_range: readonly [number, number] | null;
}

/** Fraction of the scale by which a gripper may exceed it; ALOHA's leaders overshoot by a quarter. */
const maxOvershootFraction = 0.25;
/** Minimum fraction of the scale that must be used; below it, a smaller scale (0..1, radians) is as likely. */
const minUsedFraction = 0.1;

/**
 * Finds the gripper dimensions of a state or action, by name or by the robot's fixed joint order; empty for other
 * columns. `stats`: the set's statistics by feature, for value ranges.
 */
export function findGripperDimensions(
  plan: ColumnPlan,
  robot: string | null,
  stats: JsonObject | null,
): GripperDimension[] {
  if (plan.role !== 'state' && plan.role !== 'action') return [];
  const { names } = plan.feature;
  const row = robot === null ? undefined : knownGrippers.find((entry) => entry.robot.test(robot));
  const known = row ?? null;
  const ranges = readRanges(stats, plan.feature.key);
  const at = (dimension: number, name: string | null): GripperDimension => ({
    ...{ dimension, name, known },
    set_range: ranges?.[dimension] ?? null,
  });
  if (names !== null) {
    return names.flatMap((name, dimension) => (gripperName.test(name) ? [at(dimension, name)] : []));
  }
  // SO-100 and SO-101 have five joints and the gripper last, even if the set has no names.
  const bySoArm = plan.dims === 6 && known === knownGrippers[0];
  return bySoArm ? [at(5, null)] : [];
}

/**
 * Returns the gripper convention of one dimension in an episode; `open_value` is null and the unit `unknown` unless the
 * robot has a known convention and the values are on its scale. The robot's name alone does not exclude 0..1, radians
 * or −100..100.
 */
export function inferGripperConvention(
  column: ReadColumn,
  { dimension, name, known, set_range }: GripperDimension,
): GripperConvention {
  const range = observedRange(column, dimension);
  const base = { stream: column.plan.feature.key, dimension, name, range_observed: range };
  if (known !== null && usesScale(known.scale, set_range ?? range) && isWithin(known.scale, range)) {
    return {
      ...base,
      unit: known.unit,
      open_value: known.open_value,
      evidence: 'known_format',
      reason: known.reason,
    };
  }
  const reason =
    known === null
      ? 'neither the recording nor its format defines which gripper value means open'
      : `the values are outside the range ${known.scale[0]}..${known.scale[1]} that this robot normally uses`;
  return { ...base, unit: 'unknown', open_value: null, evidence: 'unknown', reason };
}

/** Returns true if the range lies on the scale, with the allowed overshoot. */
function isWithin(scale: readonly [number, number], [low, high]: readonly [number, number]): boolean {
  const beyond = maxOvershootFraction * (scale[1] - scale[0]);
  return low >= scale[0] - beyond && high <= scale[1] + beyond;
}

/** Returns true if the range lies on the scale and uses enough of it to exclude a smaller one. */
function usesScale(scale: readonly [number, number], range: readonly [number, number]): boolean {
  return isWithin(scale, range) && range[1] - range[0] >= minUsedFraction * (scale[1] - scale[0]);
}

/** Returns minimum and maximum of a dimension; [0, 0] without finite values. */
function observedRange({ values, dims }: ReadColumn, dimension: number): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = dimension; at < values.length; at += dims) {
    const value = values[at];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [0, 0];
}
