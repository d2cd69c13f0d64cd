import { movingDimension, rangesOf, replaceStreams, streamsOf, withValues } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const shareOfRange = { small: 0.05, medium: 0.08, large: 0.12 } as const;

export const encoderOffset: EpisodeFault = {
  id: 'encoder_offset',
  title: 'An encoder a little off',
  about:
    'An encoder lost some counts: one joint’s readings differ by 5, 8 or 12 % of its range in one episode.',
  timeline: false,
  peers: 8,
  flags: ['joint_offset'],
  plants: 'episode',
  plant(episode, size, random) {
    const [state] = streamsOf(episode, 'state');
    if (state === undefined || streamsOf(episode, 'action').length === 0) return null;
    const dimension = movingDimension(state, random);
    if (dimension === null) return null;
    const offset = rangesOf(state)[dimension] * shareOfRange[size] * (random.next() < 0.5 ? -1 : 1);
    const changed = withValues(state, (values, dims) => {
      for (let i = dimension; i < values.length; i += dims) values[i] += offset;
    });
    const marks = [{ stream: state.id, from_s: 0, to_s: episode.duration_s, dimension }];
    return { episode: replaceStreams(episode, [changed]), marks };
  },
};
