import { cut, videoOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Cut off before the index at its end. */
export const videoTruncated: Mode = {
  id: 'video_truncated',
  row: 18,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['image_undecodable'],
  least: 'blocking',
  concerns: ({ episode, camera }, set) => videoOf(set, episode, camera).clips.map((clip) => clip.episode),
  plant: (set, { episode, camera }) =>
    cut(set, videoOf(set, episode, camera).path, (bytes) => Math.floor(bytes * 0.6)),
};
