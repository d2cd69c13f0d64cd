import type { CleanVariant } from '../mode.ts';

export const lastFileOfOneEpisode: CleanVariant = {
  id: 'last_file_of_one_episode',
  versions: ['v3.0'],
  record: (recording) => {
    recording.files = [0, 8];
  },
};
