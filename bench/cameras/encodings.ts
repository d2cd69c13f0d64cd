import type { Encoding } from '#test/support/encode-video';

export const codecs = ['h264', 'hevc', 'av1', 'mpeg4', 'vp9', 'mjpeg'] as const;
export type Codec = (typeof codecs)[number];
export const qualities = ['high', 'medium', 'low'] as const;
export type Quality = (typeof qualities)[number];
/** Frames from one key frame to the next; LeRobot writes 2. Every frame of MJPEG is one. */
export const keyDistances = [1, 2, 15, 60, 250] as const;

/** Constant rate factor, or quantiser of MPEG-4 and MJPEG, by quality. */
const levels: Readonly<Record<Codec, readonly [high: number, medium: number, low: number]>> = {
  h264: [18, 26, 36],
  hevc: [20, 28, 38],
  av1: [22, 32, 46],
  vp9: [20, 33, 48],
  mpeg4: [2, 6, 14],
  mjpeg: [2, 6, 14],
};

/** Returns how to encode MP4 with a codec, a distance of key frames in frames and a quality. */
export function encodingOf(codec: Codec, keyframe_every: number, quality: Quality): Encoding {
  const level = String(levels[codec][qualities.indexOf(quality)]);
  const common = { container: 'mp4', keyframe_every } as const;
  switch (codec) {
    case 'h264':
      return { ...common, encoder: 'libx264', options: { preset: 'veryfast', crf: level } };
    case 'hevc':
      return {
        ...common,
        encoder: 'libx265',
        options: { preset: 'ultrafast', crf: level, 'x265-params': 'log-level=none' },
      };
    case 'av1':
      return { ...common, encoder: 'libsvtav1', options: { preset: '12', crf: level } };
    case 'vp9':
      return {
        ...common,
        encoder: 'libvpx-vp9',
        options: { deadline: 'realtime', 'cpu-used': '8', crf: level, b: '0' },
      };
    default:
      return { ...common, encoder: codec, options: { qmin: level, qmax: level, strict: '-1' } };
  }
}
