import type { CleanVariant } from '../mode.ts';

/** Hardly any key frame. */
export const longGroups: CleanVariant = {
  id: 'long_groups',
  versions: ['v2.1', 'v3.0'],
  lay: (set) => {
    for (const file of set.videos) file.encoding = { keyframe_every: 250 };
  },
};
