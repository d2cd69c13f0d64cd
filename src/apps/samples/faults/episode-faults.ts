import type { Stream } from '#core/episode';
import { addRest, estimateNoise } from '../rest.ts';
import { keepSamples, replaceStreams, streamsOf, timeOfRow, withValues } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const duplicateRowsCut = { small: 12, medium: 3, large: 0 } as const;

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
    const cut = duplicateRowsCut[size];
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

/** Noise added to the state, in multiples of the sensor noise. */
const replayedNoise = { small: 4, medium: 2, large: 1 } as const;

export const replayedEpisode: EpisodeFault = {
  id: 'replayed_episode',
  title: 'Replayed episode',
  about:
    'The commands of another episode are replayed in the same scene: the actions are identical row by row, and the state is measured again with 4, 2 or 1 times the sensor noise.',
  timeline: false,
  peers: 1,
  flags: ['duplicate_episode'],
  plants: 'episode',
  plant(episode, size, random, peers) {
    const others = peers.filter((peer) => peer.index < episode.index);
    if (others.length === 0) return null;
    const original = random.pick(others);
    if (!original.streams.some(({ role, series }) => role === 'action' && series !== undefined)) return null;
    const streams = original.streams.map((stream) => {
      if (stream.role !== 'state' || stream.series === undefined) return stream;
      const own = estimateNoise(stream.series);
      return withValues(stream, (values, dims) => {
        for (let i = 0; i < values.length; i++)
          values[i] += replayedNoise[size] * own[i % dims] * random.normal();
      });
    });
    const { id, index, locator } = episode;
    return { episode: { ...original, id, index, locator, streams }, marks: [] };
  },
};

const idleShares = { small: 0.65, medium: 0.8, large: 1 } as const;

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
    const share = idleShares[size];
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

const emptyTexts = { small: 'task', medium: '   ', large: '' } as const;

export const emptyInstruction: EpisodeFault = {
  id: 'empty_instruction',
  title: 'Missing instruction',
  about: 'The operator entered no task: a placeholder, only spaces, or an empty text.',
  timeline: false,
  peers: 0,
  flags: ['instruction_missing', 'instruction_placeholder'],
  plants: 'episode',
  plant(episode, size) {
    if (episode.tasks === null) return null;
    const source = episode.tasks[0]?.source ?? 'tasks';
    return { episode: { ...episode, tasks: [{ text: emptyTexts[size], source }] }, marks: [] };
  },
};

export const wrongInstruction: EpisodeFault = {
  id: 'wrong_instruction',
  title: 'Wrong instruction',
  about:
    'The operator forgot to change the text: the episode has the instruction of another task of the dataset.',
  timeline: false,
  peers: 8,
  flags: ['instruction_mismatch'],
  plants: 'episode',
  plant(episode, _size, random, peers) {
    const own = episode.tasks?.[0];
    if (own === undefined) return null;
    const others = new Set(peers.flatMap((peer) => peer.tasks?.map((task) => task.text) ?? []));
    others.delete(own.text);
    if (others.size === 0) return null;
    const text = random.pick([...others].sort());
    return { episode: { ...episode, tasks: [{ text, source: own.source }] }, marks: [] };
  },
};
