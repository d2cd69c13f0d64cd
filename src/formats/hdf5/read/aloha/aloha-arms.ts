import type { Hdf5Dataset } from '@assay/hdf5';
import type { Stream, UnitOfMeasure } from '#core/episode';
import type { KnownGripper } from '../../../shared/step-arrays/grippers.ts';

/** JOINT_NAMES of ALOHA's constants.py, and the gripper behind them. */
const joints = ['waist', 'shoulder', 'elbow', 'forearm_roll', 'wrist_angle', 'wrist_rotate', 'gripper'];
const dimensions = ['left', 'right'].flatMap((arm) => joints.map((joint) => `${arm}_${joint}`));

/** Two arms of six joints and a gripper, for which the layout was made; other widths are other robots. */
export function isAlohaArms(action: Hdf5Dataset): boolean {
  return action.shape[1] === dimensions.length;
}

/** What the dimensions of an array of both arms are called; null for other arrays. */
export function alohaDimensions(action: Hdf5Dataset, dataset: Hdf5Dataset): readonly string[] | null {
  return isAlohaArms(action) && dataset.shape[1] === dimensions.length ? dimensions : null;
}

const positions: UnitOfMeasure = {
  unit: 'mixed',
  evidence: 'known_format',
  reason: 'ALOHA: six joints in rad and a gripper from 0 closed to 1 open, an arm',
};

export const alohaUnits: Readonly<Record<string, UnitOfMeasure>> = {
  action: positions,
  'observations/qpos': positions,
  'observations/qvel': {
    unit: 'mixed',
    evidence: 'known_format',
    reason: 'ALOHA: six joints in rad/s and a gripper in openings a second, an arm',
  },
};

const gripper: KnownGripper = {
  unit: '0..1 of travel',
  open_value: 1,
  range: [-0.25, 1.25],
  reason: 'ALOHA normalises grippers to 0 closed, 1 open; a little more or less occurs',
};

/** Which dimensions of a stream are grippers: only where both arms lie as ALOHA lays them. */
export function alohaGripper(stream: Stream, action: Hdf5Dataset): { at: number; known: KnownGripper }[] {
  if (!isAlohaArms(action) || !(stream.id === 'action' || stream.id === 'observations/qpos')) return [];
  return stream.series?.dims === dimensions.length ? [6, 13].map((at) => ({ at, known: gripper })) : [];
}
