import { timesOf } from '#core/episode';
import { keepSamples } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const seconds = { small: 0.6, medium: 1.5, large: 4 } as const;

export const recorderDropout: EpisodeFault = {
  id: 'recorder_dropout',
  title: 'Reported logger dropout',
  about:
    'The SD card stalls: nothing is logged for 0.6, 1.5 or 4 s, and the logger records the length of the gap.',
  timeline: true,
  peers: 0,
  flags: ['recorder_dropout', 'timeline_gap'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    if (episode.duration_s < 20) return null;
    const from_s = random.between(0.2, 0.7) * episode.duration_s;
    const to_s = from_s + seconds[size];
    const streams = episode.streams.map((stream) => {
      const times = timesOf(stream);
      return times === null ? stream : keepSamples(stream, (i) => !(times[i] > from_s && times[i] < to_s));
    });
    const dropouts = [...(episode.dropouts ?? []), { time_s: from_s, duration_s: to_s - from_s, lost: null }];
    return {
      episode: { ...episode, streams, dropouts },
      marks: [{ stream: streams[0].id, from_s, to_s }],
    };
  },
};
