import { addRest } from '../rest.ts';
import { replaceStreams, streamsOf } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const shares = { small: 0.65, medium: 0.8, large: 1 } as const;

export const idleEpisode: EpisodeFault = {
  id: 'idle_episode',
  title: 'Idle episode',
  about:
    'The arm was not engaged, or the recorder was left running: the arm rests for 65 or 80 % of the episode, at its start or end, or for the whole episode.',
  timeline: false,
  peers: 0,
  flags: ['episode_idle', 'signal_still'],
  plants: 'episode',
  plant(episode, size, random) {
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0 || streams.some((stream) => stream.sample_count < 60)) return null;
    const share = shares[size];
    const from = random.next() < 0.5 ? 0 : 1 - share;
    const changed = streams.map((stream) => {
      const rows = stream.sample_count;
      return addRest(stream, Math.round(from * rows), Math.round((from + share) * rows), random);
    });
    const { duration_s } = episode;
    const marks = streams.map(({ id }) => ({
      stream: id,
      from_s: from * duration_s,
      to_s: Math.min(1, from + share) * duration_s,
    }));
    return { episode: replaceStreams(episode, changed), marks };
  },
};
