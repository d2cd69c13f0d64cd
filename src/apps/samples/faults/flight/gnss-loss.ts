import { replaceStreams, timeOfRow, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const seconds = { small: 4, medium: 8, large: 16 } as const;

/** Values that a receiver reports without a fix, by column name. */
const noFixValues: readonly (readonly [RegExp, number])[] = [
  [/^(fix_type|status)$/i, 0],
  [/^(satellites_used|nsats)$/i, 0],
  [/^(eph|epv|hacc|vacc)$/i, 100],
];

export const gnssLoss: EpisodeFault = {
  id: 'gnss_loss',
  title: 'Lost GNSS fix',
  about: 'A jammer, a bridge or a loose antenna: the receiver reports no fix for 4, 8 or 16 s.',
  timeline: false,
  peers: 0,
  flags: ['gnss_degraded'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(
      ({ role, names }) => role === 'gnss' && names?.some((name) => noFixValues[0][0].test(name)),
    );
    if (stream?.names == null || stream.sample_count < 20) return null;
    const { names } = stream;
    const until_s = timeOfRow(stream, stream.sample_count - 1);
    const from_s = random.between(0.2, 0.5) * until_s;
    const to_s = Math.min(until_s, from_s + seconds[size]);
    const changed = withValues(stream, (values, dims) => {
      for (let row = 0; row * dims < values.length; row++) {
        const time_s = timeOfRow(stream, row);
        if (time_s < from_s || time_s > to_s) continue;
        for (const [d, name] of names.entries()) {
          const value = noFixValues.find(([pattern]) => pattern.test(name))?.[1];
          if (value !== undefined) values[row * dims + d] = value;
        }
      }
    });
    return { episode: replaceStreams(episode, [changed]), marks: [{ stream: stream.id, from_s, to_s }] };
  },
};
