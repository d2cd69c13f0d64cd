import type { StreamRole, UnitOfMeasure } from '#core/episode';
import { noUnit } from '../shared/step-arrays/numeric-stream.ts';

/** What the recording program of DROID fixes for an array of trajectory.h5. */
export interface SignalFacts {
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  readonly names: readonly string[] | null;
}

const known = (unit: string, reason: string): UnitOfMeasure => ({ unit, evidence: 'known_format', reason });
const pose = ['x', 'y', 'z', 'euler_x', 'euler_y', 'euler_z'];
const joints = Array.from({ length: 7 }, (_, i) => `joint_${i + 1}`);

const rad = known('rad', 'DROID: joints of a Franka Panda');
const poseUnit = known('mixed', 'DROID: position in m and Euler angles xyz in rad');
const opening = known('0..1 closed', 'DROID: 1 - width / largest width');
const share = (most: string): UnitOfMeasure =>
  known('normalised', `DROID: -1..1 of the most a step may change: ${most}`);
const torque = known('N*m', 'DROID: joint torques by Polymetis');

/** By the last name of the path; measured and commanded arrays are named differently. */
const byName: Readonly<Record<string, Omit<SignalFacts, 'role'>>> = {
  joint_positions: { unit: rad, names: joints },
  joint_position: { unit: rad, names: joints },
  joint_velocities: { unit: known('rad/s', 'DROID: joints of a Franka Panda'), names: joints },
  joint_velocity: { unit: share('0.2 rad'), names: joints },
  cartesian_position: { unit: poseUnit, names: pose },
  cartesian_velocity: { unit: share('0.075 m and 0.15 rad'), names: pose },
  gripper_position: { unit: opening, names: ['gripper'] },
  gripper_velocity: { unit: share('0.25 of the opening'), names: ['gripper'] },
  gripper_delta: { unit: share('0.25 of the opening'), names: ['gripper'] },
  joint_torques_computed: { unit: torque, names: joints },
  prev_joint_torques_computed: { unit: torque, names: joints },
  prev_joint_torques_computed_safened: { unit: torque, names: joints },
  motor_torques_measured: { unit: torque, names: joints },
  prev_controller_latency_ms: { unit: known('ms', 'DROID: by its name'), names: null },
};

/** `action/joint_position`, of so many dimensions: role, unit and names. */
export function signalFacts(id: string, dims: number): SignalFacts {
  const { unit, names } = byName[id.slice(id.lastIndexOf('/') + 1)] ?? { unit: noUnit, names: null };
  const fits = names === null || names.length === dims;
  return { role: roleOf(id), unit: fits ? unit : noUnit, names: fits ? names : null };
}

function roleOf(id: string): StreamRole {
  // What the robot was at when the action was worked out: the state once more.
  if (id.startsWith('action/robot_state/') || /prev_(controller|command)/.test(id)) return 'other';
  if (id.includes('torque')) return 'effort';
  if (id.startsWith('action/')) return 'action';
  return id.startsWith('observation/robot_state/') ? 'state' : 'other';
}

/** null: belongs to the recording and is no signal (stamps are clocks, kinds of cameras are names). */
export function isSignal(id: string): boolean {
  if (!/^(observation|action)\//.test(id)) return false;
  return !/^observation\/(timestamp|camera_type|videos)\//.test(id);
}
