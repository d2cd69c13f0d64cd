import { remove } from '../edit.ts';
import type { Mode } from '../mode.ts';

export const v3EpisodeTableAbsent: Mode = {
  id: 'v3_episode_table_absent',
  row: 31,
  versions: ['v3.0'],
  at: 'set',
  codes: ['episodes_missing'],
  least: 'blocking',
  plant: (set) => remove(set, 'meta/episodes/chunk-000/file-000.parquet'),
};
