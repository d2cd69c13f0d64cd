import { replaceStreams, timeOfRow, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const sizes = {
  small: { lowest_v: 3.15, seconds: 3 },
  medium: { lowest_v: 2.9, seconds: 6 },
  large: { lowest_v: 2.2, seconds: 12 },
} as const;
const fullCell_v = 4.2;

export const batterySag: EpisodeFault = {
  id: 'battery_sag',
  title: 'Battery voltage sag',
  about: 'A worn or cold pack sags under load: down to 3.15, 2.9 or 2.2 V per cell for 3, 6 or 12 s.',
  timeline: false,
  peers: 0,
  flags: ['battery_low'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const dimensionOf = (names: readonly string[] | null) =>
      names?.findIndex((name) => /^volt/i.test(name)) ?? -1;
    const stream = episode.streams.find(({ id, names }) => /batter/i.test(id) && dimensionOf(names) >= 0);
    if (stream?.series === undefined || stream.sample_count < 20) return null;
    const dimension = dimensionOf(stream.names);
    const { values, dims } = stream.series;
    const cells = Math.max(1, Math.round(values[dimension] / fullCell_v));
    const { lowest_v, seconds } = sizes[size];
    const until_s = timeOfRow(stream, stream.sample_count - 1);
    const from_s = random.between(0.2, 0.5) * until_s;
    const to_s = Math.min(until_s, from_s + seconds);
    const isLow = (row: number) => timeOfRow(stream, row) >= from_s && timeOfRow(stream, row) <= to_s;
    const changed = withValues(stream, (own) => {
      for (let row = 0; row * dims < own.length; row++)
        if (isLow(row)) own[row * dims + dimension] = cells * (lowest_v + 0.02 * random.next());
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: stream.id, from_s, to_s, dimension }],
    };
  },
};
