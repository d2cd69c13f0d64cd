import { dataFileOf, remove, videoOf } from '../edit.ts';
import type { Mode } from '../mode.ts';

export const episodeDeletedByHand: Mode = {
  id: 'episode_deleted_by_hand',
  row: 46,
  versions: ['v2.1'],
  at: ({ last }) => !last,
  codes: ['data_file_missing'],
  least: 'blocking',
  concerns: ({ episode }) => [episode],
  plant: (set, { episode }) => {
    remove(set, dataFileOf(set, episode).path);
    for (const camera of [0, 1]) remove(set, videoOf(set, episode, camera).path);
  },
};
