import type { Mode } from '../mode.ts';

export const actionColumnMissing: Mode = {
  id: 'action_column_missing',
  row: 43,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['signal_missing', 'feature_missing'],
  least: 'blocking',
  plant: (set) => {
    for (const file of set.data) delete file.columns.action;
  },
};
