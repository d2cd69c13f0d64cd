import { clipOf, videoOf } from '../edit.ts';
import type { Mode } from '../mode.ts';

/** Frames lost in a shared file while windows count rows: all later episodes are shifted. */
export const v3VideoLostInFile: Mode = {
  id: 'v3_video_lost_in_file',
  row: 11,
  versions: ['v3.0'],
  at: ({ lastInFile }) => !lastInFile,
  codes: ['video_file_lacks_frames', 'camera_frames_missing'],
  least: 'blocking',
  concerns: ({ episode, camera }, set) =>
    videoOf(set, episode, camera)
      .clips.slice(-1)
      .map((clip) => clip.episode),
  plant: (set, { episode, camera, random }) => {
    const clip = clipOf(set, episode, camera);
    const at = Math.floor(clip.shots.length / 2);
    const lost = random.integer(1, 3);
    clip.shots = clip.shots.filter((_, row) => row < at || row >= at + lost);
  },
};
