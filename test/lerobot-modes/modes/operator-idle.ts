import { anywhere, type Mode } from '../mode.ts';
import { dims } from '../recording.ts';

/** The arm was never engaged. */
export const operatorIdle: Mode = {
  id: 'operator_idle',
  row: 62,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['signal_still', 'episode_idle'],
  least: 'warning',
  record: ({ episodes }, { episode, random }) => {
    const own = episodes[episode];
    const tick = 360 / 4096;
    for (let row = 1; row < own.rows; row++) {
      for (let dim = 0; dim < dims; dim++) {
        own.state[row * dims + dim] = own.state[dim] + Math.round((0.04 * random.normal()) / tick) * tick;
        own.action[row * dims + dim] = own.action[dim];
      }
    }
    own.shots = own.shots.map(([first]) =>
      Array.from({ length: own.rows }, (_, row) => ({ ...first, grain: 30 + row })),
    );
  },
};
