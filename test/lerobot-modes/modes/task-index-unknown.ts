import { restate, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const taskIndexUnknown: Mode = {
  id: 'task_index_unknown',
  row: 39,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['task_index_unknown'],
  least: 'blocking',
  plant: (set, { episode }) => {
    for (const { values } of rowsOf(set, episode)) values.task_index = 17;
    restate(set, episode);
  },
};
