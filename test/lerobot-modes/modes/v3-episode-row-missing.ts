import type { Mode } from '../mode.ts';

export const v3EpisodeRowMissing: Mode = {
  id: 'v3_episode_row_missing',
  row: 33,
  versions: ['v3.0'],
  at: ({ first, last }) => !first && !last,
  codes: ['episode_unlisted', 'episodes_out_of_order'],
  least: 'blocking',
  concerns: ({ episode }) => [episode],
  plant: (set, { episode }) => {
    set.episodes = set.episodes.filter((row) => row.episode_index !== episode);
  },
};
