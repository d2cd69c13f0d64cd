import type { Stream } from '#core/episode';
import type { LaneEpisode } from '../../lane.ts';

/** What a row is taken to last where nobody knows, so that motions can be told from rests; no time is told from it. */
export const nominal_s = 0.05;

/** The episode with the numbers of its rows for a clock; null where a stream has a clock. */
export function withRowClock(episode: LaneEpisode): LaneEpisode | null {
  if (episode.streams.some(({ clock }) => clock !== null)) return null;
  const stamps = new Map<number, Float64Array>();
  const streams = episode.streams.map((stream): Stream => {
    const count = stream.sample_count;
    const time_s = stamps.get(count) ?? Float64Array.from({ length: count }, (_, row) => row * nominal_s);
    stamps.set(count, time_s);
    return {
      ...stream,
      clocks: [{ name: 'row', provenance: 'synthesised', time_s }],
      clock: { index: 0, reason: 'numbers of rows: nothing tells their time' },
    };
  });
  return { ...episode, streams };
}
