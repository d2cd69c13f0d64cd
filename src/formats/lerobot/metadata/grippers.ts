import type { JsonObject } from '#core';
import type { GripperConvention } from '#core/episode';
import type { ColumnPlan } from '../read/episodes/column-plan.ts';
import type { ReadColumn } from '../read/episodes/row-reader.ts';
import { rangeOf } from '../read/episodes/units.ts';

/** Robots whose gripper has a fixed convention in the LeRobot format. */
interface KnownGripper {
  readonly robot: RegExp;
  /** The scale's ends; calibrated travel is overshot by some per cent. */
  readonly scale: readonly [number, number];
  readonly unit: string;
  readonly open_value: number;
  readonly reason: string;
}

const robots: readonly KnownGripper[] = [
  {
    robot: /so[-_ ]?10[01]/i,
    scale: [0, 100],
    unit: '0..100 of calibrated travel',
    open_value: 100,
    reason: 'SO-100/101 calibration in LeRobot: 100 is meant to be open; a mirrored assembly turns it round',
  },
  {
    robot: /aloha/i,
    scale: [0, 1],
    unit: '0..1 of travel',
    open_value: 1,
    reason: 'ALOHA normalises the gripper to 0 closed, 1 open',
  },
  {
    robot: /droid/i,
    scale: [0, 1],
    unit: '0..1 closed',
    open_value: 0,
    reason: 'DROID records how far the gripper is closed: 0 is open',
  },
];

const gripperName = /(gripper|jaw|claw|finger_joint|(^|[._])grip)/i;

export interface GripperDimension {
  readonly dimension: number;
  readonly name: string | null;
  /** The robot's own convention, where it has one. */
  readonly known: KnownGripper | null;
  /** Least and greatest value in the whole set by its statistics; null where they do not say. */
  readonly set_range: readonly [number, number] | null;
}

/** By how much of its scale a gripper may lie beyond it; ALOHA's leaders overshoot by a quarter. */
const overshoot = 0.25;
/** A gripper that uses less of a scale may as well be on a smaller one: 0..1 or radians instead of 0..100. */
const leastUsed = 0.1;

/**
 * Which dimensions of a state or an action are grippers: by name, or by the robot's fixed order of joints. `stats`:
 * the set's own, by feature.
 */
export function gripperDimensions(
  plan: ColumnPlan,
  robot: string | null,
  stats: JsonObject | null,
): GripperDimension[] {
  if (plan.role !== 'state' && plan.role !== 'action') return [];
  const { names } = plan.feature;
  const row = robot === null ? undefined : robots.find((entry) => entry.robot.test(robot));
  const known = row ?? null;
  const ranges = rangeOf(stats, plan.feature.key);
  const at = (dimension: number, name: string | null): GripperDimension => ({
    ...{ dimension, name, known },
    set_range: ranges?.[dimension] ?? null,
  });
  if (names !== null) {
    return names.flatMap((name, dimension) => (gripperName.test(name) ? [at(dimension, name)] : []));
  }
  // SO-100 and SO-101 have five joints and the gripper last, also where nobody wrote the names.
  const bySoArm = plan.dims === 6 && known === robots[0];
  return bySoArm ? [at(5, null)] : [];
}

/**
 * The gripper as this episode has it. Polarity is said only where the robot's own convention fixes it and the numbers of
 * the set are on its scale: the robot's name alone says nothing of a set in 0..1, radians or −100..100.
 */
export function conventionOf(
  column: ReadColumn,
  { dimension, name, known, set_range }: GripperDimension,
): GripperConvention {
  const range = observedRange(column, dimension);
  const base = { stream: column.plan.feature.key, dimension, name, range_observed: range };
  if (known !== null && isOn(known.scale, set_range ?? range) && isWithin(known.scale, range)) {
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
      ? 'neither the recording nor its format says which value is open'
      : `the values are not on the scale ${known.scale[0]}..${known.scale[1]} of the robot's known convention`;
  return { ...base, unit: 'unknown', open_value: null, evidence: 'unknown', reason };
}

function isWithin(scale: readonly [number, number], [low, high]: readonly [number, number]): boolean {
  const beyond = overshoot * (scale[1] - scale[0]);
  return low >= scale[0] - beyond && high <= scale[1] + beyond;
}

/** Within the scale, and using enough of it that no smaller one fits. */
function isOn(scale: readonly [number, number], range: readonly [number, number]): boolean {
  return isWithin(scale, range) && range[1] - range[0] >= leastUsed * (scale[1] - scale[0]);
}

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
