import type { UnitOfMeasure } from '#core/episode';
import { noUnit } from '../../../shared/step-arrays/numeric-stream.ts';
import type { Environment } from './robomimic-environment.ts';

const observed = 'robosuite observes in the units of MuJoCo';
/** What robosuite, and LIBERO on it, writes; first match counts. */
const rows: readonly (readonly [pattern: RegExp, unit: string, reason: string])[] = [
  [/^actions$/, 'normalised', 'robosuite takes actions in -1..1 and scales them to the controller'],
  [/^obs\/(robot\d_(eef|ee)_pos|ee_pos)$/, 'm', observed],
  [/^obs\/(robot\d_gripper_qpos|gripper_states)$/, 'm', observed],
  [/^obs\/(robot\d_joint_pos|joint_states)$/, 'rad', observed],
  [/^obs\/robot\d_joint_vel$/, 'rad/s', observed],
];

/** The unit of an array, where who made the file fixes it. */
export function robomimicUnit(id: string, { maker }: Environment): UnitOfMeasure {
  if (maker !== 'robosuite' && maker !== 'libero') return noUnit;
  const row = rows.find(([pattern]) => pattern.test(id));
  return row === undefined ? noUnit : { unit: row[1], evidence: 'known_format', reason: row[2] };
}
