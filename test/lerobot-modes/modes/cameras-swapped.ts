import { anywhere, type Mode } from '../mode.ts';

export const camerasSwapped: Mode = {
  id: 'cameras_swapped',
  row: 27,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['cameras_swapped'],
  least: 'warning',
  record: ({ episodes }, { episode }) => void episodes[episode].shots.reverse(),
};
