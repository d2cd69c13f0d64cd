import type { CleanVariant } from '../mode.ts';
import { dims } from '../recording.ts';

/** Joints count from -100 to 100, as the library calibrates them. */
export const normalised: CleanVariant = {
  id: 'normalised',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes }) => {
    for (const { state, action } of episodes) {
      for (const values of [state, action]) {
        for (let i = 0; i < values.length; i++) if (i % dims !== dims - 1) values[i] /= 1.3;
      }
    }
  },
};
