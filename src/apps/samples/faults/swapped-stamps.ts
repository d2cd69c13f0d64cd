import type { Clock, Stream } from '#core/episode';
import { signalsOf, timeOfRow } from './edit.ts';
import type { EpisodeFault, PlantedMark } from './fault.ts';

const pairs = { small: 1, medium: 3, large: 8 } as const;

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
    const slot = Math.floor((rows - 20) / pairs[size]);
    const places = Array.from({ length: pairs[size] }, (_, i) => 10 + i * slot + random.integer(0, slot - 3));
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
