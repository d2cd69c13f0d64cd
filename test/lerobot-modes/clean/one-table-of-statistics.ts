import type { CleanVariant } from '../mode.ts';
import { pooled } from '../statistics.ts';

/** Version 2.0. */
export const oneTableOfStatistics: CleanVariant = {
  id: 'one_table_of_statistics',
  versions: ['v2.1'],
  lay: (set) => {
    set.info.codebase_version = 'v2.0';
    set.stats = pooled(set.episodeStats.map(({ stats }) => stats));
  },
};
