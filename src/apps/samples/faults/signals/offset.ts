import type { Random } from '#core';
import type { Episode } from '#core/episode';
import { movingDimension, rangesOf, replaceStreams, streamsOf, withValues } from '../edit.ts';
import type { Planted } from '../fault.ts';

/** One joint of the state reads a share of its range too much or too little throughout. Null where nothing moves. */
export function offsetJoint(episode: Episode, shareOfRange: number, random: Random): Planted | null {
  const [state] = streamsOf(episode, 'state');
  if (state === undefined) return null;
  const dimension = movingDimension(state, random);
  if (dimension === null) return null;
  const offset = rangesOf(state)[dimension] * shareOfRange * (random.next() < 0.5 ? -1 : 1);
  const changed = withValues(state, (values, dims) => {
    for (let i = dimension; i < values.length; i += dims) values[i] += offset;
  });
  const marks = [{ stream: state.id, from_s: 0, to_s: episode.duration_s, dimension }];
  return { episode: replaceStreams(episode, [changed]), marks };
}
