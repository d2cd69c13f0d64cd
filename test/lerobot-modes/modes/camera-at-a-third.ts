import { anywhere, type Mode } from '../mode.ts';

/** A camera of ten pictures a second, written thirty times a second. */
export const cameraAtAThird: Mode = {
  id: 'camera_at_a_third',
  row: 7,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_frames_repeated'],
  least: 'warning',
  record: ({ episodes }, { episode, camera }) => {
    const shots = episodes[episode].shots[camera];
    episodes[episode].shots[camera] = shots.map((_, row) => shots[row - (row % 3)]);
  },
};
