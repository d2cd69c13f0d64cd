import {
  computeRanges,
  findBusiestWindow,
  pickMovingDimension,
  replaceStreams,
  streamsOf,
  timeOfRow,
  withValues,
} from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const sizes = {
  small: { shareOfRange: 0.03, shareOfRows: 0.3 },
  medium: { shareOfRange: 0.06, shareOfRows: 0.5 },
  large: { shareOfRange: 0.12, shareOfRows: 0.9 },
} as const;

export const chatter: EpisodeFault = {
  id: 'chatter',
  title: 'Chatter',
  about:
    'A control loop oscillates: one joint alternates by 3, 6 or 12 % of its range from sample to sample, for 30, 50 or 90 % of the episode.',
  timeline: false,
  peers: 0,
  flags: ['signal_chatter'],
  plants: 'episode',
  plant(episode, size, random) {
    const stream = random.pick([...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')]);
    if (stream === undefined || stream.sample_count < 60) return null;
    const dimension = pickMovingDimension(stream, random);
    if (dimension === null) return null;
    const { shareOfRange, shareOfRows } = sizes[size];
    const length = Math.round(stream.sample_count * shareOfRows);
    const first = findBusiestWindow(stream, length);
    const swing = computeRanges(stream)[dimension] * shareOfRange;
    const changed = withValues(stream, (values, dims) => {
      for (let row = first; row < first + length; row++) {
        values[row * dims + dimension] += (row % 2 === 0 ? 1 : -1) * swing * (0.8 + 0.4 * random.next());
      }
    });
    const mark = {
      stream: stream.id,
      from_s: timeOfRow(stream, first),
      to_s: timeOfRow(stream, first + length - 1),
      dimension,
    };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};
