import { restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** A measured clock, milliseconds off the grid. */
export const timestampsJitter: Mode = {
  id: 'timestamps_jitter',
  row: 1,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['timestamps_off_grid', 'clock_jitter'],
  least: 'blocking',
  plant: (set, { episode, random }) => {
    for (const { values, truth } of rowsOf(set, episode)) {
      if (truth.row > 0) values.timestamp = Number(values.timestamp) + 0.003 * random.normal();
    }
    restate(set, episode);
  },
};
