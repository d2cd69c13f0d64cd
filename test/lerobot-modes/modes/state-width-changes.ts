import { changeStatistics, rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const stateWidthChanges: Mode = {
  id: 'state_width_changes',
  row: 44,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['vector_length_wrong', 'schema_drift'],
  least: 'blocking',
  concerns: ({ episode }) => [episode],
  plant: (set, { episode }) => {
    for (const { values } of rowsOf(set, episode)) {
      values['observation.state'] = [...(values['observation.state'] as number[]), 0.5];
    }
    changeStatistics(set, episode, (key, entry) => {
      if (key !== 'observation.state') return;
      for (const name of Object.keys(entry)) if (name !== 'count') (entry[name] as number[]).push(0.5);
    });
  },
};
