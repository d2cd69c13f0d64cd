import { keepRows, restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

const lost = 8;

/** Rows were lost with their pictures; what is left keeps its true time. */
export const timestampsGap: Mode = {
  id: 'timestamps_gap',
  row: 4,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['timestamps_gap', 'timeline_gap'],
  least: 'blocking',
  record: ({ episodes }, { episode }) => {
    const { rows } = episodes[episode];
    keepRows(
      episodes[episode],
      (row) => row < Math.round(rows * 0.4) || row >= Math.round(rows * 0.4) + lost,
    );
  },
  plant: (set, { episode }) => {
    const rows = rowsOf(set, episode);
    const hole = Math.round((rows.length + lost) * 0.4);
    for (const { values, truth } of rows) {
      if (truth.row >= hole) values.timestamp = Number(values.timestamp) + lost / set.info.fps;
    }
    restate(set, episode);
  },
};
