import { moveWindow } from '../edit.ts';
import type { Mode } from '../mode.ts';

/** Starts are sums of container durations, each a little too long. */
export const v3WindowDrift: Mode = {
  id: 'v3_window_drift',
  row: 13,
  versions: ['v3.0'],
  at: 'set',
  codes: ['video_window_drift', 'camera_rows_refused'],
  least: 'blocking',
  plant: (set, { random }) => {
    const drift_s = random.between(4e-5, 7e-5);
    for (const file of set.videos) {
      file.clips.forEach(({ episode }, k) => {
        moveWindow(set, episode, file.camera, k * drift_s);
      });
    }
  },
};
