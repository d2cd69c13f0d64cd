import { anywhere, type Mode } from '../mode.ts';
import { dims } from '../recording.ts';

/** Shoulder and elbow have changed places. */
export const jointsSwapped: Mode = {
  id: 'joints_swapped',
  row: 60,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['joints_exchanged'],
  least: 'blocking',
  record: ({ episodes }, { episode }) => {
    for (const values of [episodes[episode].state, episodes[episode].action]) {
      for (let row = 0; row < values.length; row += dims) {
        [values[row + 1], values[row + 2]] = [values[row + 2], values[row + 1]];
      }
    }
  },
};
