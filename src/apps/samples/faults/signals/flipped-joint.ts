import { conventionStreams, pickMovingDimension, replaceStreams, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

export const flippedJoint: EpisodeFault = {
  id: 'flipped_joint',
  title: 'Flipped joint',
  about:
    'A motor was mounted or configured in reverse for one episode: the sign of one joint is flipped in state and action (small), in the action alone (medium) or in the state alone (large).',
  timeline: false,
  peers: 8,
  flags: ['joint_flipped'],
  plants: 'episode',
  plant(episode, size, random) {
    const streams = conventionStreams(episode, size);
    if (streams === null) return null;
    const { state, affected } = streams;
    const dimension = pickMovingDimension(state, random);
    if (dimension === null) return null;
    const changed = affected.map((stream) =>
      withValues(stream, (values, dims) => {
        for (let i = dimension; i < values.length; i += dims) values[i] = -values[i];
      }),
    );
    const marks = affected.map(({ id }) => ({ stream: id, from_s: 0, to_s: episode.duration_s, dimension }));
    return { episode: replaceStreams(episode, changed), marks };
  },
};
