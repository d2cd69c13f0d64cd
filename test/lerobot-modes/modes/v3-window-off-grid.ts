import { moveWindow } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const v3WindowOffGrid: Mode = {
  id: 'v3_window_off_grid',
  row: 14,
  versions: ['v3.0'],
  at: anywhere,
  codes: ['camera_rows_refused'],
  least: 'blocking',
  plant: (set, { episode, camera }) => moveWindow(set, episode, set.recording.cameras[camera], 0.004),
};
