import {
  computeRanges,
  pickMovingDimension,
  replaceStreams,
  signalsOf,
  timeOfRow,
  withValues,
} from '../edit.ts';
import type { EpisodeFault, PlantedMark } from '../fault.ts';

const counts = { small: 3, medium: 8, large: 20 } as const;

export const spikes: EpisodeFault = {
  id: 'spikes',
  title: 'Repeated spikes',
  about:
    'A bus with bad contacts: 3, 8 or 20 single samples of one joint, measured or commanded, are off by 25 to 100 % of its range.',
  timeline: false,
  peers: 0,
  flags: ['signal_jump'],
  plants: 'episode',
  plant(episode, size, random) {
    const stream = random.pick(signalsOf(episode));
    if (stream === undefined || stream.sample_count < 120) return null;
    const dimension = pickMovingDimension(stream, random);
    if (dimension === null) return null;
    const range = computeRanges(stream)[dimension];
    const slot = Math.floor((stream.sample_count - 20) / counts[size]);
    const rows = Array.from(
      { length: counts[size] },
      (_, i) => 10 + i * slot + random.integer(0, Math.max(0, slot - 3)),
    );
    const changed = withValues(stream, (values, dims) => {
      for (const row of rows) {
        const height = range * random.between(0.25, 1) * (random.next() < 0.5 ? -1 : 1);
        values[row * dims + dimension] += height;
      }
    });
    const marks = rows.map(
      (row): PlantedMark => ({
        stream: stream.id,
        from_s: timeOfRow(stream, row - 1),
        to_s: timeOfRow(stream, row + 1),
        dimension,
      }),
    );
    return { episode: replaceStreams(episode, [changed]), marks };
  },
};
