import type { Stream } from '#core/episode';
import { keepSamples, timeOfRow } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const rowsCut = { small: 12, medium: 3, large: 0 } as const;

export const duplicateEpisode: EpisodeFault = {
  id: 'duplicate_episode',
  title: 'Duplicate episode',
  about:
    'An upload was repeated: the episode is a copy of another one, without its first 12 or 3 rows, or complete.',
  timeline: false,
  peers: 1,
  flags: ['duplicate_episode'],
  plants: 'episode',
  plant(episode, size, random, peers) {
    const others = peers.filter((peer) => peer.index < episode.index);
    if (others.length === 0) return null;
    const original = random.pick(others);
    const cut = rowsCut[size];
    const leader = original.streams.find((stream) => stream.series !== undefined);
    if (leader === undefined || leader.sample_count < 60) return null;
    const from_s = timeOfRow(leader, cut);
    const streams = original.streams.map((stream) => (cut === 0 ? stream : cutStart(stream, from_s)));
    const { id, index, locator } = episode;
    const duration_s = original.duration_s - from_s;
    return { episode: { ...original, id, index, locator, streams, duration_s }, marks: [] };
  },
};

/** Returns the stream from `from_s` on, with its clocks shifted to start at 0. */
function cutStart(stream: Stream, from_s: number): Stream {
  const times = stream.clock === null ? null : stream.clocks[stream.clock.index].time_s;
  if (times === null || stream.series === undefined) return stream;
  const rest = keepSamples(stream, (i) => times[i] >= from_s);
  return {
    ...rest,
    clocks: rest.clocks.map((clock) => ({ ...clock, time_s: clock.time_s.map((t) => t - from_s) })),
  };
}
