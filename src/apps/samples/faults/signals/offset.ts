import type { Random } from '#core';
import type { Episode } from '#core/episode';
import { computeRanges, pickMovingDimension, replaceStreams, streamsOf, withValues } from '../edit.ts';
import type { Planted } from '../fault.ts';

/** Offsets one joint of the state by a share of its range over the whole episode; `null` if no joint moves. */
export function offsetJoint(episode: Episode, shareOfRange: number, random: Random): Planted | null {
  const [state] = streamsOf(episode, 'state');
  if (state === undefined) return null;
  const dimension = pickMovingDimension(state, random);
  if (dimension === null) return null;
  const offset = computeRanges(state)[dimension] * shareOfRange * (random.next() < 0.5 ? -1 : 1);
  const changed = withValues(state, (values, dims) => {
    for (let i = dimension; i < values.length; i += dims) values[i] += offset;
  });
  const marks = [{ stream: state.id, from_s: 0, to_s: episode.duration_s, dimension }];
  return { episode: replaceStreams(episode, [changed]), marks };
}
