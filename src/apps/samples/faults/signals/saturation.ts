import { pickMovingDimension, replaceStreams, streamsOf, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

/** Share of the samples that are clipped to the limit. */
const shares = { small: 0.25, medium: 0.4, large: 0.6 } as const;

export const saturation: EpisodeFault = {
  id: 'saturation',
  title: 'Action at its limit',
  about:
    'A clipped command: one joint spends 25, 40 or 60 % of the episode exactly at a limit that it would otherwise exceed.',
  timeline: false,
  peers: 0,
  flags: ['signal_saturated'],
  plants: 'episode',
  plant(episode, size, random) {
    const [action] = streamsOf(episode, 'action');
    if (action?.series === undefined || action.sample_count < 60) return null;
    const dimension = pickMovingDimension(action, random);
    if (dimension === null) return null;
    const { dims, values } = action.series;
    const column = Float64Array.from(
      { length: action.sample_count },
      (_, row) => values[row * dims + dimension],
    ).sort();
    const upper = random.next() < 0.5;
    const limit = column[Math.floor((upper ? 1 - shares[size] : shares[size]) * (column.length - 1))];
    const cut = (value: number) => (upper ? Math.min(value, limit) : Math.max(value, limit));
    const changed = withValues(action, (copy) => {
      for (let i = dimension; i < copy.length; i += dims) copy[i] = cut(copy[i]);
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: action.id, from_s: 0, to_s: episode.duration_s, dimension }],
    };
  },
};
