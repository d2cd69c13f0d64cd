import type { GripperConvention } from '#episode';
import type { ColumnPlan } from './column-plan.ts';
import type { ReadColumn } from './row-reader.ts';

/** Robots whose gripper has a fixed convention in the LeRobot format. */
interface KnownGripper {
  readonly robot: RegExp;
  readonly range: readonly [number, number];
  readonly unit: string;
  readonly open_value: number;
  readonly reason: string;
}

const robots: readonly KnownGripper[] = [
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

export interface GripperDimension {
  readonly dimension: number;
  readonly name: string | null;
  /** The robot's own convention, where it has one. */
  readonly known: KnownGripper | null;
}

/** Which dimensions of a state or an action are grippers: by name, or by the robot's fixed order of joints. */
export function gripperDimensions(plan: ColumnPlan, robot: string | null): GripperDimension[] {
  if (plan.role !== 'state' && plan.role !== 'action') return [];
  const { names } = plan.feature;
  const row = robot === null ? undefined : robots.find((entry) => entry.robot.test(robot));
  const known = row ?? null;
  if (names !== null) {
    return names.flatMap((name, dimension) => (gripperName.test(name) ? [{ dimension, name, known }] : []));
  }
  // SO-100 and SO-101 have five joints and the gripper last, also where nobody wrote the names.
  const bySoArm = plan.dims === 6 && known === robots[0];
  return bySoArm ? [{ dimension: 5, name: null, known }] : [];
}

/**
 * The gripper as this episode has it. Polarity is said only where the robot's own convention fixes it and the numbers
 * fit its range; it is never read off the numbers alone.
 */
export function conventionOf(
  column: ReadColumn,
  { dimension, name, known }: GripperDimension,
): GripperConvention {
  const range = observedRange(column, dimension);
  const fits = known !== null && range[0] >= known.range[0] && range[1] <= known.range[1];
  const base = { stream: column.plan.feature.key, dimension, name, range_observed: range };
  if (known !== null && fits) {
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
      : `the values leave the range ${known.range[0]}..${known.range[1]} of the robot's known convention`;
  return { ...base, unit: 'unknown', open_value: null, evidence: 'unknown', reason };
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
