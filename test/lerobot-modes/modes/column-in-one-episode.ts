import { dataFileOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** The first file says which columns there are: those in which others differ lack them. */
export const columnInOneEpisode: Mode = {
  id: 'column_in_one_episode',
  row: 44,
  versions: ['v2.1'],
  at: anywhere,
  codes: ['columns_differ', 'column_undeclared'],
  least: 'blocking',
  concerns: ({ episode }, { recording }) =>
    episode > 0 ? [episode] : [...recording.episodes.keys()].slice(1),
  plant: (set, { episode }) => {
    const file = dataFileOf(set, episode);
    file.columns['observation.phase'] = 'FLOAT';
    for (const { values, truth } of file.rows) values['observation.phase'] = truth.row / 30;
  },
};
