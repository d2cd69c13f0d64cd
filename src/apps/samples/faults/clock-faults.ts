import { type Clock, type Stream, timesOf } from '#core/episode';
import {
  computeRate_hz,
  keepSamples,
  replaceStreams,
  signalsOf,
  streamsOf,
  timeOfRow,
  withValues,
} from './edit.ts';
import type { EpisodeFault, PlantedMark } from './fault.ts';

const droppedRowsSizes = {
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
    const { share, bursts } = droppedRowsSizes[size];
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

const swappedPairs = { small: 1, medium: 3, large: 8 } as const;

export const swappedStamps: EpisodeFault = {
  id: 'swapped_stamps',
  title: 'Swapped timestamps',
  about: 'Messages have timestamps out of order: 1, 3 or 8 pairs of adjacent timestamps are swapped.',
  timeline: true,
  peers: 0,
  flags: ['timestamps_not_monotonic'],
  plants: 'episode',
  plant(episode, size, random) {
    const targets = signalsOf(episode);
    const leader = targets[0];
    if (leader?.clock == null || leader.sample_count < 40) return null;
    const rows = leader.sample_count;
    const slot = Math.floor((rows - 20) / swappedPairs[size]);
    const places = Array.from(
      { length: swappedPairs[size] },
      (_, i) => 10 + i * slot + random.integer(0, slot - 3),
    );
    const shared = leader.clocks[leader.clock.index].time_s;
    const changed = targets
      .filter((stream) => stream === leader || sharesClock(stream, shared))
      .map((stream) => ({ ...stream, clocks: swapChosenClock(stream, places) }));
    const byId = new Map<string, Stream>(changed.map((stream) => [stream.id, stream]));
    const marks = places.map(
      (row): PlantedMark => ({
        stream: leader.id,
        from_s: timeOfRow(leader, row),
        to_s: timeOfRow(leader, row + 1),
      }),
    );
    const streams = episode.streams.map((stream) => byId.get(stream.id) ?? stream);
    return { episode: { ...episode, streams }, marks };
  },
};

/** Returns `true` if the chosen clock of the stream has the same stamps; columns of one table share theirs. */
function sharesClock(stream: Stream, times: Float64Array): boolean {
  if (stream.clock === null) return false;
  const own = stream.clocks[stream.clock.index].time_s;
  return own === times || (own.length === times.length && own.every((time, i) => time === times[i]));
}

/** Swaps stamps in the chosen clock only; arrival stamps of the recorder stay in order. */
function swapChosenClock({ clocks, clock }: Stream, places: readonly number[]): Clock[] {
  return clocks.map((own, i) => (i === clock?.index ? swapStamps(own, places) : own));
}

function swapStamps(clock: Clock, places: readonly number[]): Clock {
  const time_s = clock.time_s.slice();
  for (const row of places) [time_s[row], time_s[row + 1]] = [time_s[row + 1], time_s[row]];
  return { ...clock, time_s };
}

const lag_s = { small: 0.17, medium: 0.34, large: 0.7 } as const;

export const lag: EpisodeFault = {
  id: 'lag',
  title: 'State and action out of sync',
  about:
    'State or action is buffered: its values arrive 0.17, 0.34 or 0.7 s (5, 10 or 20 frames at 30 Hz) late.',
  timeline: true,
  peers: 0,
  flags: ['action_state_lag', 'lag_drift'],
  plants: 'episode',
  plant(episode, size, random) {
    const [state] = streamsOf(episode, 'state');
    const [action] = streamsOf(episode, 'action');
    if (state === undefined || action === undefined) return null;
    const late = random.next() < 0.5 ? state : action;
    const rows = Math.round(lag_s[size] * computeRate_hz(late));
    if (rows * 3 > late.sample_count) return null;
    const changed = withValues(late, (values, dims) => {
      values.copyWithin(rows * dims, 0);
      for (let row = 0; row < rows; row++) values.copyWithin(row * dims, rows * dims, (rows + 1) * dims);
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: late.id, from_s: 0, to_s: episode.duration_s }],
    };
  },
};
