import { keepRows } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Three times the loop stood for six rows, and rows are stamped as if it had not. */
export const recorderStall: Mode = {
  id: 'recorder_stall',
  row: 6,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['rows_missing', 'timeline_gap'],
  least: 'warning',
  record: ({ episodes }, { episode }) => {
    const { rows } = episodes[episode];
    const stalls = [0.35, 0.55, 0.75].map((share) => Math.round(rows * share));
    keepRows(episodes[episode], (row) => !stalls.some((stall) => row >= stall && row < stall + 6));
  },
};
