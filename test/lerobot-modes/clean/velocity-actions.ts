import type { CleanVariant } from '../mode.ts';
import { dims } from '../recording.ts';

/** Actions are joint velocities: no agreement with the state to expect. */
export const velocityActions: CleanVariant = {
  id: 'velocity_actions',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes, fps }) => {
    for (const { action } of episodes) {
      const asked = action.slice();
      for (let i = 0; i < action.length; i++) {
        const next = i + dims < asked.length ? i + dims : i;
        if (i % dims !== dims - 1) action[i] = (asked[next] - asked[i]) * fps;
      }
    }
  },
  lay: (set) => {
    const { names } = set.info.features.action;
    set.info.features.action.names = (names as string[]).map((name) => name.replace('.pos', '.vel'));
  },
};
