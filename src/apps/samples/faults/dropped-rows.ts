import { timesOf } from '#core/episode';
import { keepSamples, signalsOf, timeOfRow } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const sizes = {
  small: { share: 0.04, bursts: 1 },
  medium: { share: 0.12, bursts: 3 },
  large: { share: 0.3, bursts: 6 },
} as const;

export const droppedRows: EpisodeFault = {
  id: 'dropped_rows',
  title: 'Rows lost in bursts',
  about:
    'The recorder stalls: 4, 12 or 30 % of the samples of every stream are missing, in 1, 3 or 6 bursts.',
  timeline: true,
  peers: 0,
  flags: ['rows_missing', 'timeline_gap'],
  plants: 'episode',
  plant(episode, size, random) {
    const [leader] = signalsOf(episode);
    if (leader === undefined || leader.sample_count < 60) return null;
    const { share, bursts } = sizes[size];
    const rows = leader.sample_count;
    const length = Math.max(4, Math.round((rows * share) / bursts));
    const marks = Array.from({ length: bursts }, (_, burst) => {
      const slot = Math.floor((rows * 0.9) / bursts);
      const first =
        Math.floor(rows * 0.05) + burst * slot + random.integer(0, Math.max(0, slot - length - 2));
      return { stream: leader.id, from_s: timeOfRow(leader, first), to_s: timeOfRow(leader, first + length) };
    });
    const streams = episode.streams.map((stream) => {
      const times = timesOf(stream);
      if (times === null) return stream;
      return keepSamples(
        stream,
        (i) => !marks.some((mark) => times[i] >= mark.from_s && times[i] < mark.to_s),
      );
    });
    return { episode: { ...episode, streams }, marks };
  },
};
