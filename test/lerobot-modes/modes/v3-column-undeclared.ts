import type { Mode } from '../mode.ts';

export const v3ColumnUndeclared: Mode = {
  id: 'v3_column_undeclared',
  row: 44,
  versions: ['v3.0'],
  at: 'set',
  codes: ['column_undeclared', 'columns_differ'],
  least: 'blocking',
  plant: (set) => {
    for (const file of set.data) {
      file.columns['observation.phase'] = 'FLOAT';
      for (const { values, truth } of file.rows) values['observation.phase'] = truth.row / 30;
    }
  },
};
