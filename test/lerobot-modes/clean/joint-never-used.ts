import type { CleanVariant } from '../mode.ts';
import { dims } from '../recording.ts';

/** The wrist is never turned: its command has no deviation at all. */
export const jointNeverUsed: CleanVariant = {
  id: 'joint_never_used',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes }) => {
    for (const { state, action } of episodes) {
      for (let i = 4; i < action.length; i += dims) {
        action[i] = 12;
        state[i] = 12 + 0.02 * Math.sign(state[i + 1] - Math.round(state[i + 1]));
      }
    }
  },
};
