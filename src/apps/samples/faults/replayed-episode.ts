import { estimateNoise } from '../rest.ts';
import { withValues } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

/** Noise added to the state, in multiples of the sensor noise. */
const noise = { small: 4, medium: 2, large: 1 } as const;

export const replayedEpisode: EpisodeFault = {
  id: 'replayed_episode',
  title: 'Replayed episode',
  about:
    'The commands of another episode are replayed in the same scene: the actions are identical row by row, and the state is measured again with 4, 2 or 1 times the sensor noise.',
  timeline: false,
  peers: 1,
  flags: ['duplicate_episode'],
  plants: 'episode',
  plant(episode, size, random, peers) {
    const others = peers.filter((peer) => peer.index < episode.index);
    if (others.length === 0) return null;
    const original = random.pick(others);
    if (!original.streams.some(({ role, series }) => role === 'action' && series !== undefined)) return null;
    const streams = original.streams.map((stream) => {
      if (stream.role !== 'state' || stream.series === undefined) return stream;
      const own = estimateNoise(stream.series);
      return withValues(stream, (values, dims) => {
        for (let i = 0; i < values.length; i++) values[i] += noise[size] * own[i % dims] * random.normal();
      });
    });
    const { id, index, locator } = episode;
    return { episode: { ...original, id, index, locator, streams }, marks: [] };
  },
};
