import type { Mode } from '../mode.ts';

/** At a roll-over the converter named the file before. */
export const v3DataFileStale: Mode = {
  id: 'v3_data_file_stale',
  row: 34,
  versions: ['v3.0'],
  at: ({ episode, firstInFile }) => firstInFile && episode > 0,
  codes: ['episode_elsewhere'],
  least: 'error',
  concerns: ({ episode }) => [episode],
  plant: (set, { episode }) => {
    set.episodes[episode]['data/file_index'] = 0;
  },
};
