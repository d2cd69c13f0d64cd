import { videoOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const videoOtherSize: Mode = {
  id: 'video_other_size',
  row: 22,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_size_mismatch'],
  least: 'blocking',
  concerns: ({ episode, camera }, set) => videoOf(set, episode, camera).clips.map((clip) => clip.episode),
  plant: (set, { episode, camera }) => {
    videoOf(set, episode, camera).size = { width: 160, height: 120 };
  },
};
