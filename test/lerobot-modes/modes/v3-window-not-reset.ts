import { moveWindow } from '../edit.ts';
import type { Mode } from '../mode.ts';

/** Windows of the second file go on counting from the first. */
export const v3WindowNotReset: Mode = {
  id: 'v3_window_not_reset',
  row: 15,
  versions: ['v3.0'],
  at: 'set',
  codes: ['video_windows_not_reset', 'video_window_not_reset', 'camera_window_past_file'],
  least: 'blocking',
  concerns: (_, { recording }) => recording.episodes.flatMap((_, e) => (e >= recording.files[1] ? [e] : [])),
  plant: (set, { camera }) => {
    const [first, second] = set.videos.filter((file) => file.camera === set.recording.cameras[camera]);
    const rows = first.clips.reduce((sum, { shots }) => sum + shots.length, 0);
    for (const { episode } of second.clips) moveWindow(set, episode, second.camera, rows / set.info.fps);
  },
};
