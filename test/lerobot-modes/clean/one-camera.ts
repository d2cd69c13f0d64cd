import type { CleanVariant } from '../mode.ts';

export const oneCamera: CleanVariant = {
  id: 'one_camera',
  versions: ['v2.1', 'v3.0'],
  record: (recording) => {
    recording.cameras = recording.cameras.slice(0, 1);
    for (const episode of recording.episodes) episode.shots = episode.shots.slice(0, 1);
  },
};
