import type { CleanVariant } from '../mode.ts';

export const radians: CleanVariant = {
  id: 'radians',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes }) => {
    for (const episode of episodes) {
      const radians = (values: Float32Array) => values.map((value) => (value * Math.PI) / 180);
      episode.state = radians(episode.state);
      episode.action = radians(episode.action);
    }
  },
};
