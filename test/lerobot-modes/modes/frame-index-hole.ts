import { restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const frameIndexHole: Mode = {
  id: 'frame_index_hole',
  row: 38,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['frame_index_broken'],
  least: 'warning',
  plant: (set, { episode }) => {
    const rows = rowsOf(set, episode);
    for (const { values, truth } of rows) {
      if (truth.row >= rows.length / 2) values.frame_index = truth.row + 3;
    }
    restate(set, episode);
  },
};
