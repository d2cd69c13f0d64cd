import type { Stream } from '#core/episode';
import { conventionStreams, movingDimension, replaceStreams, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

export const exchangedColumns: EpisodeFault = {
  id: 'exchanged_columns',
  title: 'Two exchanged joints',
  about:
    'The joints have another order in one episode: two of them are exchanged in state and action (small), in the action alone (medium) or in the state alone (large).',
  timeline: false,
  peers: 8,
  flags: ['joints_exchanged'],
  plants: 'episode',
  plant(episode, size, random) {
    const streams = conventionStreams(episode, size);
    if (streams === null) return null;
    const { state, spoiled } = streams;
    const one = movingDimension(state, random);
    let other = one;
    for (let tries = 0; tries < 20 && other === one; tries++) other = movingDimension(state, random);
    if (one === null || other === null || other === one) return null;
    const changed = spoiled.map((stream) => exchanged(stream, one, other));
    const marks = spoiled.flatMap(({ id }) =>
      [one, other].map((dimension) => ({ stream: id, from_s: 0, to_s: episode.duration_s, dimension })),
    );
    return { episode: replaceStreams(episode, changed), marks };
  },
};

function exchanged(stream: Stream, one: number, other: number): Stream {
  return withValues(stream, (values, dims) => {
    for (let row = 0; row < values.length; row += dims)
      [values[row + one], values[row + other]] = [values[row + other], values[row + one]];
  });
}
