import { computeRanges, computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import { addRest } from '../rest.ts';
import type { EpisodeTwin } from './twin.ts';

export const restingTremor: EpisodeTwin = {
  id: 'resting_tremor',
  title: 'Tremor at rest',
  about:
    'A hand holds the leader for the first third of the episode: the command trembles at 7 to 11 Hz by 0.4 % of its ranges, and the state follows 0.1 s later with half of that.',
  resembles: ['rows_missing', 'timeline_gap', 'signal_chatter'],
  of: 'episode',
  vary(episode, random) {
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0) return null;
    const tremor_hz = random.between(7, 11);
    const changed = streams.map((stream) => {
      const rows = stream.sample_count;
      const last = Math.round(0.33 * rows);
      const ranges = computeRanges(stream);
      const [size, late] = stream.role === 'state' ? [0.002, 0.1 * computeRate_hz(stream)] : [0.004, 0];
      const turn = (2 * Math.PI * tremor_hz) / computeRate_hz(stream);
      return withValues(addRest(stream, 0, last, random), (values, dims) => {
        for (let row = 0; row < last; row++)
          for (let d = 0; d < dims; d++)
            values[row * dims + d] += size * ranges[d] * Math.sin(turn * (row - late) + 2 * d);
      });
    });
    return replaceStreams(episode, changed);
  },
};
