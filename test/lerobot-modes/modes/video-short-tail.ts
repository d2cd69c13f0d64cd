import { clipOf } from '../edit.ts';
import type { Mode } from '../mode.ts';

/** The last pictures of a file were never encoded. */
export const videoShortTail: Mode = {
  id: 'video_short_tail',
  row: 9,
  versions: ['v2.1', 'v3.0'],
  at: ({ lastInFile }) => lastInFile,
  codes: ['camera_frames_missing'],
  least: 'blocking',
  plant: (set, { episode, camera, random }) => {
    const clip = clipOf(set, episode, camera);
    clip.shots = clip.shots.slice(0, -random.integer(1, 4));
  },
};
