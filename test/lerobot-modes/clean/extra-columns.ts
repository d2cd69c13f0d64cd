import { stateColumn } from '../edit.ts';
import type { CleanVariant } from '../mode.ts';

/** Reward and done, declared. */
export const extraColumns: CleanVariant = {
  id: 'extra_columns',
  versions: ['v2.1', 'v3.0'],
  lay: (set) => {
    set.info.features['next.reward'] = { dtype: 'float32', shape: [1], names: null };
    set.info.features['next.done'] = { dtype: 'bool', shape: [1], names: null };
    for (const { columns, rows } of set.data) {
      Object.assign(columns, { 'next.reward': 'FLOAT', 'next.done': 'BOOLEAN' });
      for (const { values, truth } of rows) {
        const left = set.recording.episodes[truth.episode].rows - 1 - truth.row;
        Object.assign(values, { 'next.reward': left === 0 ? 1 : 0, 'next.done': left === 0 });
      }
    }
    for (const key of ['next.reward', 'next.done']) stateColumn(set, key);
  },
};
