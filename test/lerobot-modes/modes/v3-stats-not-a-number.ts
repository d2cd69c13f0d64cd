import type { Mode } from '../mode.ts';

export const v3StatsNotANumber: Mode = {
  id: 'v3_stats_not_a_number',
  row: 56,
  versions: ['v3.0'],
  at: 'set',
  codes: ['nonstandard_json', 'stats_not_a_number'],
  least: 'error',
  plant: (set) => {
    const { action } = set.stats!;
    action.std = (action.std as number[]).map((value, dim) => (dim === 1 ? Number.NaN : value));
  },
};
