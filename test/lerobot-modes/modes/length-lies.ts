import type { Mode } from '../mode.ts';

export const lengthLies: Mode = {
  id: 'length_lies',
  row: 36,
  versions: ['v2.1', 'v3.0'],
  at: ({ last }) => !last,
  codes: ['length_mismatch'],
  least: { 'v2.1': 'blocking', 'v3.0': 'error' },
  plant: (set, { episode, random }) => {
    set.episodes[episode].length += random.integer(2, 9);
  },
};
