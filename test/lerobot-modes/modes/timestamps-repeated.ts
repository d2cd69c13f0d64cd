import { restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Every ninth row has the stamp of the row before. */
export const timestampsRepeated: Mode = {
  id: 'timestamps_repeated',
  row: 5,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['timestamps_repeated', 'timestamps_duplicated'],
  least: 'blocking',
  plant: (set, { episode }) => {
    const rows = rowsOf(set, episode);
    rows.forEach(({ values }, row) => {
      if (row % 9 === 5) values.timestamp = rows[row - 1].values.timestamp;
    });
    restate(set, episode);
  },
};
