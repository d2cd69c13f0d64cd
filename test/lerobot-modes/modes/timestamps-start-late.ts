import { restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** The clock was not set back when recording went on. */
export const timestampsStartLate: Mode = {
  id: 'timestamps_start_late',
  row: 2,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['timestamps_start_late'],
  least: 'blocking',
  plant: (set, { episode, random }) => {
    const late_s = random.integer(3, 9) / set.info.fps;
    for (const { values } of rowsOf(set, episode)) values.timestamp = Number(values.timestamp) + late_s;
    restate(set, episode);
  },
};
