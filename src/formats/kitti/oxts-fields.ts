import type { StreamRole } from '#core/episode';

/** Some of the 30 numbers of a packet, which go together. */
export interface OxtsGroup {
  readonly id: string;
  readonly role: StreamRole;
  readonly unit: string;
  readonly first: number;
  readonly names: readonly string[];
}

const columns = [
  ['position', 'gnss', 'mixed', 'lat lon alt'],
  ['attitude', 'attitude', 'rad', 'roll pitch yaw'],
  ['velocity', 'vehicle', 'm/s', 'vn ve vf vl vu'],
  ['acceleration', 'imu', 'm/s^2', 'ax ay az af al au'],
  ['angular_rate', 'imu', 'rad/s', 'wx wy wz wf wl wu'],
  ['accuracy', 'other', 'mixed', 'pos_accuracy vel_accuracy'],
  ['status', 'other', 'none', 'navstat numsats posmode velmode orimode'],
] as const satisfies readonly (readonly [string, StreamRole, string, string])[];

/** The packet of the OXTS RT3003 by the devkit's dataformat.txt. */
export const oxtsGroups: readonly OxtsGroup[] = columns.map(([id, role, unit, text], k) => ({
  id,
  role,
  unit,
  first: columns.slice(0, k).reduce((sum, [, , , names]) => sum + names.split(' ').length, 0),
  names: text.split(' '),
}));

/** Numbers of a packet. */
export const oxtsFields = oxtsGroups.flatMap(({ names }) => names);

/** Names in the order dataformat.txt gives them: `lat:   latitude of the oxts-unit (deg)`. */
export function namesOfFormat(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\s*([a-z_]+)\s*:/i.exec(line)?.[1] ?? []);
}
