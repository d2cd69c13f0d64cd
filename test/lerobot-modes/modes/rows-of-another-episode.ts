import { rowsOf } from '../edit.ts';
import type { Mode } from '../mode.ts';

export const rowsOfAnotherEpisode: Mode = {
  id: 'rows_of_another_episode',
  row: 37,
  versions: ['v2.1', 'v3.0'],
  at: ({ first, last }) => !first && !last,
  codes: ['rows_of_another_episode', 'rows_scattered'],
  least: 'blocking',
  pair: true,
  plant: (set, { episode, other }) => {
    const rows = rowsOf(set, episode);
    const from = Math.floor(rows.length / 2);
    for (const { values } of rows.slice(from, from + 16)) values.episode_index = other;
  },
};
