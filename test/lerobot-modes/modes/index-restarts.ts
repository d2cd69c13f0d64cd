import { restate, rowsOf } from '../edit.ts';
import type { Mode } from '../mode.ts';

export const indexRestarts: Mode = {
  id: 'index_restarts',
  row: 38,
  versions: ['v2.1', 'v3.0'],
  at: ({ first }) => !first,
  codes: ['index_broken'],
  least: { 'v2.1': 'warning', 'v3.0': 'blocking' },
  // The one where it breaks: those behind go on counting from there.
  concerns: ({ episode }) => [episode],
  plant: (set, { episode }) => {
    const first = Number(rowsOf(set, episode)[0].values.index);
    for (let e = episode; e < set.recording.episodes.length; e++) {
      for (const { values } of rowsOf(set, e)) values.index = Number(values.index) - first;
      restate(set, e);
    }
  },
};
