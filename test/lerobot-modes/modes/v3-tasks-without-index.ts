import type { Mode } from '../mode.ts';

export const v3TasksWithoutIndex: Mode = {
  id: 'v3_tasks_without_index',
  row: 42,
  versions: ['v3.0'],
  at: 'set',
  codes: ['tasks_without_index'],
  least: 'blocking',
  plant: (set) => {
    set.taskIndex = false;
  },
};
