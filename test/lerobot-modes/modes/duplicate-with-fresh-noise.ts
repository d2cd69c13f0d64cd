import { anywhere, type Mode } from '../mode.ts';
import { recordEpisode } from '../recording.ts';

/** A replay: actions are equal, state and pictures were taken anew. */
export const duplicateWithFreshNoise: Mode = {
  id: 'duplicate_with_fresh_noise',
  row: 58,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['duplicate_episode'],
  least: 'blocking',
  pair: true,
  concerns: ({ episode, other }) => [Math.max(episode, other)],
  record: ({ episodes, takes, seed, fps }, { episode, other }) => {
    const { action, rows } = episodes[other];
    const replay = recordEpisode(takes[other], other, seed, fps, 3);
    episodes[episode] = { ...replay, action: action.slice(), rows };
  },
};
