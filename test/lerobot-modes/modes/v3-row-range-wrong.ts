import type { Mode } from '../mode.ts';

export const v3RowRangeWrong: Mode = {
  id: 'v3_row_range_wrong',
  row: 35,
  versions: ['v3.0'],
  at: ({ first }) => !first,
  codes: ['row_range_wrong'],
  least: 'blocking',
  plant: (set, { episode, random }) => {
    const by = random.integer(5, 15);
    const row = set.episodes[episode];
    row.dataset_from_index = Number(row.dataset_from_index) - by;
    row.dataset_to_index = Number(row.dataset_to_index) - by;
  },
};
