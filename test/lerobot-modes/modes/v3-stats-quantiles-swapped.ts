import type { Mode } from '../mode.ts';

export const v3StatsQuantilesSwapped: Mode = {
  id: 'v3_stats_quantiles_swapped',
  row: 54,
  versions: ['v3.0'],
  at: 'set',
  codes: ['stats_quantiles_wrong', 'stats_inconsistent'],
  least: 'error',
  plant: (set) => {
    const { action } = set.stats!;
    [action.q01, action.q99] = [action.q99, action.q01];
  },
};
