import { replaceStreams, signalsOf, timeOfRow, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const nanRows = { small: 1, medium: 4, large: 40 } as const;

export const notANumber: EpisodeFault = {
  id: 'nan',
  title: 'NaN values',
  about:
    'A driver wrote NaN: one value, 4 rows or 40 rows of one dimension. A single NaN is enough to break a training batch.',
  timeline: false,
  peers: 0,
  flags: ['non_finite_values'],
  plants: 'episode',
  plant(episode, size, random) {
    const stream = random.pick(signalsOf(episode));
    if (stream?.series === undefined || stream.sample_count < 60) return null;
    const { dims } = stream.series;
    const dimension = random.integer(0, dims - 1);
    const count = nanRows[size];
    const first = random.integer(5, stream.sample_count - count - 5);
    const changed = withValues(stream, (values) => {
      for (let row = first; row < first + count; row++) values[row * dims + dimension] = Number.NaN;
    });
    const mark = {
      stream: stream.id,
      from_s: timeOfRow(stream, first),
      to_s: timeOfRow(stream, first + count),
      dimension,
    };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};
