import { anywhere, type Mode } from '../mode.ts';
import { dims } from '../recording.ts';

/** The bus fails for 28 rows. */
export const stateFrozen: Mode = {
  id: 'state_frozen',
  row: 61,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['state_frozen'],
  least: 'blocking',
  record: ({ episodes }, { episode }) => {
    const { state, rows } = episodes[episode];
    const from = Math.round(rows * 0.3);
    for (let row = from; row < from + 28; row++) state.copyWithin(row * dims, from * dims, (from + 1) * dims);
  },
};
