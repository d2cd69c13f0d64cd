import type { Mode } from '../mode.ts';

/** A file lies there that no table lists: the loader takes the folder as it is. */
export const episodeFileUnlisted: Mode = {
  id: 'episode_file_unlisted',
  row: 46,
  versions: ['v2.1'],
  at: 'set',
  codes: ['file_unreferenced', 'episode_unlisted'],
  least: 'blocking',
  plant: (set) => {
    const last = set.data[set.data.length - 1];
    const episode = set.data.length;
    const rows = last.rows.map(({ values, truth }) => ({
      values: { ...values, episode_index: episode, index: Number(values.index) + last.rows.length },
      truth,
    }));
    set.data.push({
      ...last,
      path: `data/chunk-000/episode_${String(episode).padStart(6, '0')}.parquet`,
      rows,
    });
  },
};
