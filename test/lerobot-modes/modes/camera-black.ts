import { anywhere, type Mode } from '../mode.ts';

export const cameraBlack: Mode = {
  id: 'camera_black',
  row: 29,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_black'],
  least: 'blocking',
  record: ({ episodes }, { episode, camera }) => {
    const { shots } = episodes[episode];
    shots[camera] = shots[camera].map((shot) => ({ ...shot, look: 'black' as const }));
  },
};
