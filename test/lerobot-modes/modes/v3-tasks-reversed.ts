import type { Mode } from '../mode.ts';

export const v3TasksReversed: Mode = {
  id: 'v3_tasks_reversed',
  row: 41,
  versions: ['v3.0'],
  at: 'set',
  codes: ['tasks_out_of_order'],
  least: 'blocking',
  plant: (set) => void set.tasks.reverse(),
};
