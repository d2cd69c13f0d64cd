import {
  computeRanges,
  pickMovingDimension,
  replaceStreams,
  streamsOf,
  timeOfRow,
  withValues,
} from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const shareOfRange = { small: 0.25, medium: 0.5, large: 1 } as const;

export const jump: EpisodeFault = {
  id: 'jump',
  title: 'Jump',
  about:
    'A bit error or a wrapped angle: one joint jumps by 25, 50 or 100 % of its range for one or two samples.',
  timeline: false,
  peers: 0,
  flags: ['signal_jump'],
  plants: 'episode',
  plant(episode, size, random) {
    const [stream] = streamsOf(episode, 'state');
    if (stream === undefined || stream.sample_count < 60) return null;
    const dimension = pickMovingDimension(stream, random);
    if (dimension === null) return null;
    const height = computeRanges(stream)[dimension] * shareOfRange[size] * (random.next() < 0.5 ? -1 : 1);
    const length = random.integer(1, 2);
    const first = random.integer(10, stream.sample_count - 12);
    const changed = withValues(stream, (values, dims) => {
      for (let row = first; row < first + length; row++) values[row * dims + dimension] += height;
    });
    const mark = {
      stream: stream.id,
      from_s: timeOfRow(stream, first - 1),
      to_s: timeOfRow(stream, first + length),
      dimension,
    };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};
