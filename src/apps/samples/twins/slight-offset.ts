import { computeRanges, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { EpisodeTwin } from './twin.ts';

export const slightOffset: EpisodeTwin = {
  id: 'slight_offset',
  title: 'Slight offset',
  about:
    'Load, temperature and backlash: in one episode the state of a joint differs from its command by 0.5 % of the widest range more than usual.',
  resembles: ['joint_offset'],
  of: 'episode',
  vary(episode, random) {
    const [state] = streamsOf(episode, 'state');
    if (state === undefined) return null;
    const ranges = computeRanges(state);
    const widest = [...ranges].sort((a, b) => b - a)[Math.min(1, ranges.length - 1)];
    const dimension = random.integer(0, ranges.length - 1);
    const offset = 0.005 * widest * (random.next() < 0.5 ? -1 : 1);
    const changed = withValues(state, (values, dims) => {
      for (let at = dimension; at < values.length; at += dims) values[at] += offset;
    });
    return replaceStreams(episode, [changed]);
  },
};
