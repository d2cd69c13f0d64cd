import type { StreamRole, UnitOfMeasure } from '#core/episode';
import type { ArrayMeta } from './array-meta.ts';

/** First match counts. Names as diffusion_policy, UMI and their relatives use them. */
const roles: readonly (readonly [RegExp, StreamRole])[] = [
  [/(^|\/)robot\d*_demo_(start|end)_pose$|(^|[_/])stage$/, 'annotation'],
  [/embedding|keypoint|contact/, 'other'],
  [/(^|\/)actions?($|[_/])/, 'action'],
  [/(^|\/)reward/, 'reward'],
  [/depth/, 'depth'],
  [/force|torque|wrench|effort/, 'effort'],
  [/tactile/, 'tactile'],
  [/state|pose|joint|eef|gripper|proprio|qpos|qvel|agent_pos|robot\d*_/, 'state'],
];

/** What an array of numbers is, by its name; what no name tells is `other`, kept and not judged. */
export function roleOfArray(name: string): StreamRole {
  return roles.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'other';
}

/** How the pictures of an array lie in a row. */
export interface PictureShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly depth: boolean;
}

const leastSide = 8;

/** (T, H, W, C) of bytes or floats, or (T, H, W) where the name says that it is a picture; null for anything else. */
export function pictureShape({ shape, type }: ArrayMeta, name: string): PictureShape | null {
  if (type === null || (shape.length !== 4 && shape.length !== 3)) return null;
  const [, height, width] = shape;
  const channels = shape[3] ?? 1;
  const depth = /depth/i.test(name);
  if (height < leastSide || width < leastSide || ![1, 3, 4].includes(channels)) return null;
  if (shape.length === 3 && !/depth|img|image|rgb|gray|mono|cam/i.test(name)) return null;
  if (
    type.name !== 'u1' &&
    type.name !== 'f4' &&
    type.name !== 'f8' &&
    !(type.name === 'u2' && channels === 1)
  )
    return null;
  return { height, width, channels, depth };
}

const umiUnits: readonly (readonly [RegExp, string, string])[] = [
  [/^robot\d+_eef_pos$/, 'm', 'UMI: position of the end effector in metres'],
  [/^robot\d+_eef_rot_axis_angle$/, 'rad', 'UMI: axis times angle in radians'],
  [/^robot\d+_gripper_width$/, 'm', 'UMI: width between the fingers in metres'],
];

const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'a replay buffer names no units',
};

/** UMI fixes its units; a replay buffer of anybody else says none. */
export function unitOfArray(name: string, umi: boolean): UnitOfMeasure {
  const row = umi ? umiUnits.find(([pattern]) => pattern.test(name)) : undefined;
  return row === undefined ? noUnit : { unit: row[1], evidence: 'known_format', reason: row[2] };
}

/** UMI writes these two for its first robot, and nobody else does. */
export function isUmi(names: readonly string[]): boolean {
  return names.includes('robot0_eef_pos') && names.includes('robot0_gripper_width');
}
