import type { CleanVariant } from '../mode.ts';

/** The library's default encoder and its settings. */
export const av1: CleanVariant = {
  id: 'av1',
  versions: ['v2.1', 'v3.0'],
  lay: (set) => {
    for (const file of set.videos)
      file.encoding = { encoder: 'libsvtav1', options: { crf: '30', preset: '12', 'svtav1-params': 'lp=1' } };
    for (const camera of set.recording.cameras) set.info.features[camera].info!['video.codec'] = 'av1';
  },
};
