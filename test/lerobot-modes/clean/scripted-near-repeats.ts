import { seededRandom } from '#core';
import type { CleanVariant } from '../mode.ts';
import { dims, recordEpisode } from '../recording.ts';

/** A script does each task thrice, with goals a few millimetres apart. */
export const scriptedNearRepeats: CleanVariant = {
  id: 'scripted_near_repeats',
  versions: ['v2.1', 'v3.0'],
  record: (recording) => {
    const { takes, seed, fps, episodes } = recording;
    const random = seededRandom(seed + 300);
    for (let e = 3; e < episodes.length; e++) {
      const episode = recordEpisode(takes[e % 3], e % 3, seed, fps, e);
      const [size, shift] = [random.between(0.985, 1.015), random.between(-0.8, 0.8)];
      const changed = (values: Float32Array) =>
        values.map((value, i) => (i % dims === dims - 1 ? value : value * size + shift));
      episodes[e] = { ...episode, state: changed(episode.state), action: changed(episode.action) };
    }
  },
};
