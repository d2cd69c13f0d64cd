import type { Mode } from '../mode.ts';

export const v3StatsOfAnotherSet: Mode = {
  id: 'v3_stats_of_another_set',
  row: 53,
  versions: ['v3.0'],
  at: 'set',
  codes: ['set_stats_wrong'],
  least: 'error',
  plant: (set) => {
    for (const key of ['action', 'observation.state']) {
      const entry = set.stats![key];
      for (const name of Object.keys(entry)) {
        if (name !== 'count')
          entry[name] = (entry[name] as number[]).map((value, dim) => value * 0.6 + 4 * dim);
      }
    }
  },
};
