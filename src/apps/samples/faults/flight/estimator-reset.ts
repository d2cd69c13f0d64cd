import { replaceStreams, timeOfRow, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const metres = { small: 1.5, medium: 5, large: 20 } as const;

export const estimatorReset: EpisodeFault = {
  id: 'estimator_reset',
  title: 'Estimator reset',
  about:
    'After bad satellite reception the estimator resets to a position 1.5, 5 or 20 m away, and counts the reset.',
  timeline: false,
  peers: 0,
  flags: ['estimator_reset'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(({ names }) => names?.includes('xy_reset_counter'));
    if (stream?.names == null || stream.sample_count < 20) return null;
    const [counter, delta] = ['xy_reset_counter', 'delta_xy[0]'].map((name) => stream.names!.indexOf(name));
    const reset = Math.floor(random.between(0.4, 0.7) * stream.sample_count);
    const changed = withValues(stream, (values, dims) => {
      for (let row = reset; row * dims < values.length; row++) {
        values[row * dims + counter] += 1;
        values[row * dims + delta] = metres[size];
      }
    });
    const [from_s, to_s] = [reset - 1, reset].map((row) => timeOfRow(stream, row));
    return { episode: replaceStreams(episode, [changed]), marks: [{ stream: stream.id, from_s, to_s }] };
  },
};
