import type { CleanVariant } from '../mode.ts';
import { dims } from '../recording.ts';

export const noGripper: CleanVariant = {
  id: 'no_gripper',
  versions: ['v2.1', 'v3.0'],
  record: (recording) => {
    recording.names = recording.names.slice(0, -1);
    const five = (values: Float32Array) => values.filter((_, i) => i % dims !== dims - 1);
    for (const episode of recording.episodes) {
      episode.state = five(episode.state);
      episode.action = five(episode.action);
    }
  },
};
