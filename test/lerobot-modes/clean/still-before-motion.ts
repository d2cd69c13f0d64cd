import { seededRandom } from '#core';
import { orderRows } from '../edit.ts';
import type { CleanVariant } from '../mode.ts';
import { dims } from '../recording.ts';

/** Two seconds of stillness before the first motion. */
export const stillBeforeMotion: CleanVariant = {
  id: 'still_before_motion',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes }) => {
    const random = seededRandom(77);
    for (const episode of episodes) {
      const still = random.integer(45, 75);
      orderRows(
        episode,
        Array.from({ length: still + episode.rows }, (_, row) => Math.max(0, row - still)),
      );
      for (let i = 0; i < still * dims; i++)
        episode.state[i] += Math.round(0.5 * random.normal()) * (360 / 4096);
      episode.shots = episode.shots.map((shots) =>
        shots.map((shot, row) => (row < still ? { ...shot, grain: 40 + row } : shot)),
      );
    }
  },
};
