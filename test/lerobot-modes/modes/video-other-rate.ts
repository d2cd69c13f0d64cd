import { videoOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Stamped at 29.97 or 25 pictures a second for 30. */
export const videoOtherRate: Mode = {
  id: 'video_other_rate',
  row: 20,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_rows_refused', 'video_stamps_off_grid'],
  least: 'blocking',
  concerns: ({ episode, camera }, set) => videoOf(set, episode, camera).clips.map((clip) => clip.episode),
  plant: (set, { episode, camera, random }) => {
    const rate = random.pick([
      { rate_hz: 30_000, per_frame: 1001 },
      { rate_hz: 25, per_frame: 1 },
    ]);
    videoOf(set, episode, camera).encoding = rate;
  },
};
