import type { StreamRole } from '#core/episode';
import type { Leaf } from './feature-tree.ts';

/** First match counts. Paths are those of RLDS: `observation/…`, `action…`, `reward`. */
const rows: readonly (readonly [RegExp, StreamRole])[] = [
  [/embedding|(^|\/)discount$/, 'other'],
  [/terminate|(^|\/)is_(first|last|terminal)$/, 'annotation'],
  [/(^|\/)reward$/, 'reward'],
  [/^actions?(_dict)?($|\/)/, 'action'],
  [/effort|torque|force|wrench/, 'effort'],
  [/tactile/, 'tactile'],
  [/(^|\/)(imu|accel|gyro)/, 'imu'],
  [
    /^observation\/.*(state|joint|pos|orientation|rotation|cartesian|gripper|eef|effector|tcp|proprio|velocity|robot|arm|ee_)/,
    'state',
  ],
  [/^(proprio|state)$/, 'state'],
];

/** What a feature is to whoever trains on it, by its name; what no name tells is `other`, kept and not judged. */
export function roleOf({ id, kind }: Leaf): StreamRole {
  if (kind === 'image') return /depth/i.test(id) ? 'depth' : 'camera';
  const name = id.toLowerCase();
  return rows.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}

/** Texts that say what was asked of the robot. */
export function isInstruction(id: string): boolean {
  return /instruction|(^|\/)(language|task|goal)(_text|_description|_name)?$/i.test(id);
}
