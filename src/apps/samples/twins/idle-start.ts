import { computeRate_hz, replaceStreams, streamsOf } from '../faults/edit.ts';
import { addRest } from '../rest.ts';
import type { EpisodeTwin } from './twin.ts';

export const idleStart: EpisodeTwin = {
  id: 'idle_start',
  title: 'Idle start',
  about: 'The operator waits: the arm rests for 1 to 4 s at the start, at most a quarter of the episode.',
  resembles: ['signal_still', 'action_frozen', 'state_frozen', 'episode_idle', 'rows_missing'],
  of: 'episode',
  vary(episode, random) {
    const seconds = Math.min(random.between(1, 4), 0.25 * episode.duration_s);
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0) return null;
    return replaceStreams(
      episode,
      streams.map((stream) => addRest(stream, 0, Math.round(seconds * computeRate_hz(stream)), random)),
    );
  },
};
