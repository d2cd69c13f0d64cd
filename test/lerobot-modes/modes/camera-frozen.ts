import { anywhere, type Mode } from '../mode.ts';

/** The camera stops after a third of the episode. */
export const cameraFrozen: Mode = {
  id: 'camera_frozen',
  row: 29,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_frozen'],
  least: 'blocking',
  record: ({ episodes }, { episode, camera }) => {
    const shots = episodes[episode].shots[camera];
    const from = Math.round(shots.length * 0.35);
    episodes[episode].shots[camera] = shots.map((shot, row) => (row < from ? shot : shots[from]));
  },
};
