import type { GripperConvention, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import { gripperOf, type KnownGripper } from '../shared/step-arrays/grippers.ts';
import { noUnit } from '../shared/step-arrays/numeric-stream.ts';

/** What the description of AgiBot World says of an array of proprio_stats.h5. */
export interface SignalFacts {
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  readonly names: readonly string[] | null;
}

const said = (unit: string, what: string): UnitOfMeasure => ({
  unit,
  evidence: 'known_format',
  reason: `AgiBot World: ${what}`,
});
const sides = (...names: readonly string[]) =>
  ['left', 'right'].flatMap((side) => names.map((name) => `${side}_${name}`));
const arms = sides(...Array.from({ length: 7 }, (_, i) => `joint_${i + 1}`));

interface Known {
  /** `end/position`, of state and action alike. */
  readonly id: RegExp;
  /** null: of any width, without names. */
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
}

const known: readonly Known[] = [
  { id: /^(state|action)\/joint\/position$/, names: arms, unit: said('rad', 'joints of the arms') },
  { id: /^(state|action)\/joint\/position$/, names: null, unit: said('rad', 'joints') },
  {
    id: /^(state|action)\/end\/position$/,
    names: sides('x', 'y', 'z'),
    unit: said('m', 'positions of the flanges'),
  },
  {
    id: /^(state|action)\/end\/orientation$/,
    names: sides('qx', 'qy', 'qz', 'qw'),
    unit: said('quaternion xyzw', 'orientations of the flanges, the real part last'),
  },
  { id: /^(state|action)\/head\/position$/, names: ['yaw', 'pitch'], unit: said('rad', 'head') },
  {
    id: /^(state|action)\/waist\/position$/,
    names: ['pitch', 'lift'],
    unit: said('mixed', 'pitch of the waist in rad and its lift in m'),
  },
  { id: /^state\/robot\/position$/, names: ['x', 'y', 'z'], unit: said('m', 'position of the base') },
  {
    id: /^state\/robot\/orientation$/,
    names: ['qx', 'qy', 'qz', 'qw'],
    unit: said('quaternion xyzw', 'orientation of the base, the real part last'),
  },
  {
    id: /^action\/robot\/velocity$/,
    names: ['forward', 'yaw_rate'],
    unit: said('mixed', 'forward speed in m/s and yaw rate in rad/s'),
  },
  {
    id: /^state\/effector\/position$/,
    names: ['left_gripper', 'right_gripper'],
    unit: said('mm', 'opening of the grippers'),
  },
  {
    id: /^action\/effector\/position$/,
    names: ['left_gripper', 'right_gripper'],
    unit: said('0..1 closed', '0 is fully open, 1 fully closed'),
  },
  {
    id: /^(state|action)\/effector\/position$/,
    names: sides(...Array.from({ length: 6 }, (_, i) => `finger_joint_${i + 1}`)),
    unit: said('rad', 'joints of dexterous hands'),
  },
];

/** `state/end/position`, of so many numbers a row: role, unit and names. */
export function signalFacts(id: string, dims: number): SignalFacts {
  const row = known.find((one) => one.id.test(id) && (one.names === null || one.names.length === dims));
  return { role: roleOf(id), unit: row?.unit ?? noUnit, names: row?.names ?? null };
}

function roleOf(id: string): StreamRole {
  const [side, part, field] = id.split('/');
  if (/^(effort|force|wrench)$/.test(field ?? '')) return 'effort';
  if (side === 'action') return 'action';
  if (part === 'robot') return /^(position|orientation|velocity)$/.test(field ?? '') ? 'odometry' : 'other';
  return /^(position|orientation|velocity|angular)$/.test(field ?? '') ? 'state' : 'other';
}

/** Larger angles are of the versions that scale hands otherwise. */
const largestAngle_rad = 2 * Math.PI;

/** Hands in another scale than their description says have no known unit. */
export function checkedUnit(stream: Stream): Stream {
  const { id, series, unit } = stream;
  if (!id.endsWith('effector/position') || series?.dims !== 12) return stream;
  if (!series.values.some((value) => Math.abs(value) > largestAngle_rad)) return stream;
  const reason = `the numbers are no angles in rad, as they should be (${unit.reason}); some versions have another scale`;
  return { ...stream, unit: { unit: 'unknown', evidence: 'unknown', reason } };
}

const opening: KnownGripper = {
  unit: 'mm of opening, larger is open',
  open_value: null,
  range: [-10, 200],
  reason:
    'AgiBot World: the state is the opening in millimetres, larger is more open; how wide fully open is, it does not say',
};

const command: KnownGripper = {
  unit: '0..1 closed',
  open_value: 0,
  range: [-0.05, 1.05],
  reason: 'AgiBot World: in the action 0 is fully open and 1 fully closed, against the state',
};

/** State and action turn opposite ways, in other scales: told for each; hands are no grippers. */
export function grippersOf(streams: readonly Stream[]): GripperConvention[] {
  return streams.flatMap((stream) => {
    const convention = stream.id === 'state/effector/position' ? opening : command;
    if (!/^(state|action)\/effector\/position$/.test(stream.id) || stream.series?.dims !== 2) return [];
    return [0, 1].map((dimension) => {
      const found = gripperOf(stream, dimension, convention);
      // The direction is known, although no number of it means fully open.
      return found.unit === opening.unit ? { ...found, evidence: 'known_format' } : found;
    });
  });
}
