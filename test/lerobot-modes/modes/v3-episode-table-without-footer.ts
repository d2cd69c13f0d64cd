import { cut } from '../edit.ts';
import type { Mode } from '../mode.ts';

export const v3EpisodeTableWithoutFooter: Mode = {
  id: 'v3_episode_table_without_footer',
  row: 30,
  versions: ['v3.0'],
  at: 'set',
  codes: ['episodes_unreadable'],
  least: 'blocking',
  plant: (set) => cut(set, 'meta/episodes/chunk-000/file-000.parquet', (bytes) => bytes - 300),
};
