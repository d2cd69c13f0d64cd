import { restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Seconds since the epoch, or since the machine was started. */
export const timestampsHostClock: Mode = {
  id: 'timestamps_host_clock',
  row: 3,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['timestamps_host_clock'],
  least: 'blocking',
  plant: (set, { episode, random }) => {
    const since_s = random.next() < 0.5 ? 1_763_800_000 : random.between(2000, 90_000);
    for (const { values } of rowsOf(set, episode)) values.timestamp = Number(values.timestamp) + since_s;
    restate(set, episode);
  },
};
