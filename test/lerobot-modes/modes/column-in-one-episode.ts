import { dataFileOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const columnInOneEpisode: Mode = {
  id: 'column_in_one_episode',
  row: 44,
  versions: ['v2.1'],
  at: anywhere,
  codes: ['columns_differ', 'column_undeclared'],
  least: 'blocking',
  concerns: ({ episode }) => [episode],
  plant: (set, { episode }) => {
    const file = dataFileOf(set, episode);
    file.columns['observation.phase'] = 'FLOAT';
    for (const { values, truth } of file.rows) values['observation.phase'] = truth.row / 30;
  },
};
