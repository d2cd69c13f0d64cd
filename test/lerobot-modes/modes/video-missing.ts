import { remove, videoOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const videoMissing: Mode = {
  id: 'video_missing',
  row: 17,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['video_missing', 'videos_missing', 'camera_missing'],
  least: 'blocking',
  concerns: ({ episode, camera }, set) => videoOf(set, episode, camera).clips.map((clip) => clip.episode),
  plant: (set, { episode, camera }) => remove(set, videoOf(set, episode, camera).path),
};
