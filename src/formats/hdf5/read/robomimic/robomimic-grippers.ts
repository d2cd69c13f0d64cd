import type { GripperConvention, Stream } from '#core/episode';
import { gripperOf, type KnownGripper } from '../../../shared/step-arrays/grippers.ts';
import type { Environment } from './robomimic-environment.ts';

const command: KnownGripper = {
  unit: '-1..1 command',
  open_value: -1,
  range: [-1, 1],
  reason: 'robosuite and LIBERO: -1 opens, +1 closes',
};

const fingers: KnownGripper = {
  unit: 'm',
  open_value: null,
  range: [-0.2, 0.2],
  reason: 'robosuite: positions of the finger joints in metres; how far open is depends on the gripper',
};

/** Isaac Lab's binary gripper opens on positive values, robosuite's on negative: never taken from one to the other. */
export function robomimicGrippers(streams: readonly Stream[], { maker }: Environment): GripperConvention[] {
  const isRobosuite = maker === 'robosuite' || maker === 'libero';
  return streams.flatMap((stream) => {
    const dims = stream.series?.dims ?? 0;
    if (stream.id === 'actions')
      return isRobosuite ? commandsOf(dims).map((at) => gripperOf(stream, at, command)) : [];
    const isGripper = /^obs\/.*(gripper|finger)/.test(stream.id) && !/vel|effort|force/.test(stream.id);
    if (!isGripper || stream.role !== 'state' || dims > 4) return [];
    const known = isRobosuite && /gripper_(qpos|states)$/.test(stream.id) ? fingers : null;
    return Array.from({ length: dims }, (_, at) => gripperOf(stream, at, known));
  });
}

/** robosuite puts the gripper last, an arm: six of a pose and one, or that twice. */
function commandsOf(dims: number): readonly number[] {
  return dims === 7 ? [6] : dims === 14 ? [6, 13] : [];
}
