import type { Mode } from '../mode.ts';

export const v3EpisodeRowsReversed: Mode = {
  id: 'v3_episode_rows_reversed',
  row: 33,
  versions: ['v3.0'],
  at: 'set',
  codes: ['episodes_out_of_order'],
  least: 'blocking',
  plant: (set) => void set.episodes.reverse(),
};
