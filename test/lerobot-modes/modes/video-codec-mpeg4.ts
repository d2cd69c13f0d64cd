import type { Mode } from '../mode.ts';

/** MPEG-4 part 2: loads, and no browser plays it. */
export const videoCodecMpeg4: Mode = {
  id: 'video_codec_mpeg4',
  row: 25,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['video_codec_unshown'],
  least: 'info',
  plant: (set) => {
    for (const file of set.videos) file.encoding = { encoder: 'mpeg4', options: { qscale: '4' } };
    for (const camera of set.recording.cameras) set.info.features[camera].info = { 'video.codec': 'mpeg4' };
  },
};
