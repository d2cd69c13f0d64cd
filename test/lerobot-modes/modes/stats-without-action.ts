import type { Mode } from '../mode.ts';

export const statsWithoutAction: Mode = {
  id: 'stats_without_action',
  row: 56,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['stats_incomplete'],
  least: 'error',
  plant: (set) => {
    for (const { stats } of set.episodeStats) delete stats.action;
    if (set.stats !== null) delete set.stats.action;
    for (const row of set.episodes) {
      for (const name of Object.keys(row)) if (name.startsWith('stats/action/')) delete row[name];
    }
  },
};
