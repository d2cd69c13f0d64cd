import { computeRate_hz, replaceStreams, streamsOf } from '../faults/edit.ts';
import { addRest } from '../rest.ts';
import type { EpisodeTwin } from './twin.ts';

export const idleEnd: EpisodeTwin = {
  id: 'idle_end',
  title: 'Idle end',
  about:
    'The operator is slow to stop the recorder: the arm rests for 1 to 4 s, at most a quarter of the episode.',
  resembles: ['signal_still', 'action_frozen', 'state_frozen', 'episode_idle', 'rows_missing'],
  of: 'episode',
  vary(episode, random) {
    const seconds = Math.min(random.between(1, 4), 0.25 * episode.duration_s);
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0) return null;
    const changed = streams.map((stream) => {
      const rows = stream.sample_count;
      return addRest(stream, rows - Math.round(seconds * computeRate_hz(stream)), rows, random);
    });
    return replaceStreams(episode, changed);
  },
};
