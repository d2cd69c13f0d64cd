import type { Mode } from '../mode.ts';

export const totalEpisodesTooHigh: Mode = {
  id: 'total_episodes_too_high',
  row: 32,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['total_episodes_too_high', 'metadata_count_mismatch'],
  least: 'blocking',
  plant: (set, { random }) => {
    set.info.total_episodes += random.integer(1, 3);
    set.info.splits = { train: `0:${set.info.total_episodes}` };
  },
};
