import { anywhere, type Mode } from '../mode.ts';

/** The text of another task. */
export const instructionWrong: Mode = {
  id: 'instruction_wrong',
  row: 63,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['instruction_mismatch'],
  least: 'warning',
  record: ({ episodes }, { episode }) => {
    const own = episodes[episode].task;
    episodes[episode].task = episodes.find(({ task }) => task !== own)!.task;
  },
};
