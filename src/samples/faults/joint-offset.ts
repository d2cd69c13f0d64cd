import { movingDimension, rangesOf, replaceStreams, streamsOf, withValues } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const shareOfRange = { small: 0.1, medium: 0.25, large: 0.6 } as const;

export const jointOffset: EpisodeFault = {
  id: 'joint_offset',
  title: 'A joint calibrated wrongly',
  about:
    'The arm was calibrated anew with one joint off: all its readings differ by 10, 25 or 60 % of its range.',
  timeline: false,
  peers: 8,
  flags: ['joint_offset'],
  plants: 'episode',
  plant(episode, size, random) {
    const [state] = streamsOf(episode, 'state');
    if (state === undefined) return null;
    const dimension = movingDimension(state, random);
    if (dimension === null) return null;
    const offset = rangesOf(state)[dimension] * shareOfRange[size] * (random.next() < 0.5 ? -1 : 1);
    const changed = withValues(state, (values, dims) => {
      for (let i = dimension; i < values.length; i += dims) values[i] += offset;
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: state.id, from_s: 0, to_s: episode.duration_s, dimension }],
    };
  },
};
