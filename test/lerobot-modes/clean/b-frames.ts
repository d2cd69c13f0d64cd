import type { CleanVariant } from '../mode.ts';

/** Frames that are coded out of order. */
export const bFrames: CleanVariant = {
  id: 'b_frames',
  versions: ['v2.1', 'v3.0'],
  lay: (set) => {
    for (const file of set.videos)
      file.encoding = { keyframe_every: 30, b_frames: 2, options: { preset: 'veryfast', crf: '26' } };
  },
};
