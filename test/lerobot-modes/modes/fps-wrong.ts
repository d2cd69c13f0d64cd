import type { Mode } from '../mode.ts';

/** info.json says another rate than stamps and videos have. */
export const fpsWrong: Mode = {
  id: 'fps_wrong',
  row: 8,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['rate_mismatch'],
  least: { 'v2.1': 'blocking', 'v3.0': 'error' },
  plant: (set, { random }) => {
    set.info.fps = random.pick([20, 25, 50]);
  },
};
