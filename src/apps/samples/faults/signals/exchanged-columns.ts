import type { Stream } from '#core/episode';
import { conventionStreams, pickMovingDimension, replaceStreams, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

export const exchangedColumns: EpisodeFault = {
  id: 'exchanged_columns',
  title: 'Two joints swapped',
  about:
    'The joint order differs in one episode: two joints are swapped in state and action (small), in the action only (medium) or in the state only (large).',
  timeline: false,
  peers: 8,
  flags: ['joints_exchanged'],
  plants: 'episode',
  plant(episode, size, random) {
    const streams = conventionStreams(episode, size);
    if (streams === null) return null;
    const { state, affected } = streams;
    const one = pickMovingDimension(state, random);
    let other = one;
    for (let tries = 0; tries < 20 && other === one; tries++) other = pickMovingDimension(state, random);
    if (one === null || other === null || other === one) return null;
    const changed = affected.map((stream) => exchangeColumns(stream, one, other));
    const marks = affected.flatMap(({ id }) =>
      [one, other].map((dimension) => ({ stream: id, from_s: 0, to_s: episode.duration_s, dimension })),
    );
    return { episode: replaceStreams(episode, changed), marks };
  },
};

function exchangeColumns(stream: Stream, one: number, other: number): Stream {
  return withValues(stream, (values, dims) => {
    for (let row = 0; row < values.length; row += dims)
      [values[row + one], values[row + other]] = [values[row + other], values[row + one]];
  });
}
