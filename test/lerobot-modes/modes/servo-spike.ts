import { anywhere, type Mode } from '../mode.ts';
import { dims } from '../recording.ts';

/** One to three false readings of one joint. */
export const servoSpike: Mode = {
  id: 'servo_spike',
  row: 61,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['signal_jump'],
  least: 'warning',
  record: ({ episodes }, { episode, random }) => {
    const { state, rows } = episodes[episode];
    const joint = random.integer(0, 4);
    for (let spike = random.integer(1, 3); spike > 0; spike--) {
      state[random.integer(5, rows - 6) * dims + joint] += random.pick([-1, 1]) * random.between(35, 70);
    }
  },
};
