import { anywhere, type Mode } from '../mode.ts';
import { dims } from '../recording.ts';

/** The zero of one joint was moved between episodes. */
export const jointOffset: Mode = {
  id: 'joint_offset',
  row: 59,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['joint_offset'],
  least: 'warning',
  record: ({ episodes }, { episode, random }) => {
    const { state } = episodes[episode];
    const joint = random.pick([0, 1, 2, 3]);
    const offset = random.pick([-1, 1]) * random.between(10, 18);
    for (let i = joint; i < state.length; i += dims) state[i] += offset;
  },
};
