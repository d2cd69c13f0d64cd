import type { GripperConvention, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import { noUnit } from '../shared/arrays/step-arrays.ts';
import { describeGripper, type GripperLayout } from '../shared/grippers.ts';

/** Role, unit and dimension names of an array of proprio_stats.h5, by the description of AgiBot World. */
export interface SignalFacts {
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  readonly names: readonly string[] | null;
}

const knownUnit = (unit: string, what: string): UnitOfMeasure => ({
  unit,
  evidence: 'known_format',
  reason: `AgiBot World: ${what}`,
});
const sides = (...names: readonly string[]) =>
  ['left', 'right'].flatMap((side) => names.map((name) => `${side}_${name}`));
const arms = sides(...Array.from({ length: 7 }, (_, i) => `joint_${i + 1}`));

interface KnownSignal {
  /** Matches array paths such as `state/end/position`. */
  readonly pattern: RegExp;
  /** Dimension names; the row applies only to arrays of this width. `null` matches any width and gives no names. */
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
}

const knownSignals: readonly KnownSignal[] = [
  { pattern: /^(state|action)\/joint\/position$/, names: arms, unit: knownUnit('rad', 'arm joints') },
  { pattern: /^(state|action)\/joint\/position$/, names: null, unit: knownUnit('rad', 'joints') },
  {
    pattern: /^(state|action)\/end\/position$/,
    names: sides('x', 'y', 'z'),
    unit: knownUnit('m', 'flange positions'),
  },
  {
    pattern: /^(state|action)\/end\/orientation$/,
    names: sides('qx', 'qy', 'qz', 'qw'),
    unit: knownUnit('quaternion xyzw', 'flange orientations, real part last'),
  },
  { pattern: /^(state|action)\/head\/position$/, names: ['yaw', 'pitch'], unit: knownUnit('rad', 'head') },
  {
    pattern: /^(state|action)\/waist\/position$/,
    names: ['pitch', 'lift'],
    unit: knownUnit('mixed', 'waist pitch in rad and lift in m'),
  },
  {
    pattern: /^state\/robot\/position$/,
    names: ['x', 'y', 'z'],
    unit: knownUnit('m', 'base position'),
  },
  {
    pattern: /^state\/robot\/orientation$/,
    names: ['qx', 'qy', 'qz', 'qw'],
    unit: knownUnit('quaternion xyzw', 'base orientation, real part last'),
  },
  {
    pattern: /^action\/robot\/velocity$/,
    names: ['forward', 'yaw_rate'],
    unit: knownUnit('mixed', 'forward speed in m/s and yaw rate in rad/s'),
  },
  {
    pattern: /^state\/effector\/position$/,
    names: ['left_gripper', 'right_gripper'],
    unit: knownUnit('mm', 'gripper opening'),
  },
  {
    pattern: /^action\/effector\/position$/,
    names: ['left_gripper', 'right_gripper'],
    unit: knownUnit('0..1 closed', '0 is fully open, 1 fully closed'),
  },
  {
    pattern: /^(state|action)\/effector\/position$/,
    names: sides(...Array.from({ length: 6 }, (_, i) => `finger_joint_${i + 1}`)),
    unit: knownUnit('rad', 'joints of dexterous hands'),
  },
];

/**
 * Returns role, unit and names of an array by its path (`state/end/position`) and its numbers per row; unknown arrays
 * have no unit and `null` names.
 */
export function signalFacts(id: string, dims: number): SignalFacts {
  const row = knownSignals.find(
    (signal) => signal.pattern.test(id) && (signal.names === null || signal.names.length === dims),
  );
  return { role: signalRole(id), unit: row?.unit ?? noUnit, names: row?.names ?? null };
}

function signalRole(id: string): StreamRole {
  const [side, part, field] = id.split('/');
  if (/^(effort|force|wrench)$/.test(field ?? '')) return 'effort';
  if (side === 'action') return 'action';
  if (part === 'robot') return /^(position|orientation|velocity)$/.test(field ?? '') ? 'odometry' : 'other';
  return /^(position|orientation|velocity|angular)$/.test(field ?? '') ? 'state' : 'other';
}

/** Hand joints beyond this angle come from dataset versions with another scale. */
const maxHandAngle_rad = 2 * Math.PI;

/**
 * Returns the stream with its unit set to unknown if it is a 12-joint hand whose values exceed `maxHandAngle_rad`;
 * other streams unchanged.
 */
export function checkHandUnit(stream: Stream): Stream {
  const { id, series, unit } = stream;
  if (!id.endsWith('effector/position') || series?.dims !== 12) return stream;
  if (!series.values.some((value) => Math.abs(value) > maxHandAngle_rad)) return stream;
  const reason = `values exceed the range of joint angles in rad (expected: ${unit.reason}); some dataset versions use another scale`;
  return { ...stream, unit: { unit: 'unknown', evidence: 'unknown', reason } };
}

const stateGripper: GripperLayout = {
  unit: 'mm of opening, larger is open',
  open_value: null,
  range: [-10, 200],
  reason:
    'AgiBot World: the state is the opening in mm, larger is more open; the fully open width is not documented',
};

const actionGripper: GripperLayout = {
  unit: '0..1 closed',
  open_value: 0,
  range: [-0.05, 1.05],
  reason: 'AgiBot World: in the action, 0 is fully open and 1 fully closed, opposite to the state',
};

/**
 * Returns one convention per gripper of the state and action streams, which differ in direction and scale; hands with
 * fingers (not 2 numbers per row) give none.
 */
export function gripperConventions(streams: readonly Stream[]): GripperConvention[] {
  return streams.flatMap((stream) => {
    const convention = stream.id === 'state/effector/position' ? stateGripper : actionGripper;
    if (!/^(state|action)\/effector\/position$/.test(stream.id) || stream.series?.dims !== 2) return [];
    return [0, 1].map((dimension) => {
      const gripper = describeGripper(stream, dimension, convention);
      // The direction is known, although no value is documented as fully open.
      return gripper.unit === stateGripper.unit ? { ...gripper, evidence: 'known_format' } : gripper;
    });
  });
}
