import { clipOf, countWindows, videoOf } from '../edit.ts';
import type { Mode } from '../mode.ts';

/** The picture writer lost frames; in v3 the window is as long as the video. */
export const videoFramesDropped: Mode = {
  id: 'video_frames_dropped',
  row: 10,
  versions: ['v2.1', 'v3.0'],
  at: ({ lastInFile }) => !lastInFile,
  codes: ['camera_frames_missing', 'camera_frames_foreign'],
  least: 'blocking',
  plant: (set, { episode, camera, random }) => {
    const clip = clipOf(set, episode, camera);
    const at = Math.floor(clip.shots.length * random.between(0.3, 0.7));
    const lost = random.integer(1, 4);
    clip.shots = clip.shots.filter((_, row) => row < at || row >= at + lost);
    countWindows(set, videoOf(set, episode, camera));
  },
};
