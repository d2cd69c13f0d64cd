import type { VideoFault } from '../fault.ts';

const remainingShares = { small: 0.9, medium: 0.5, large: 0.2 } as const;

export const truncatedVideo: VideoFault = {
  id: 'truncated_video',
  title: 'Truncated video',
  about: 'The encoder was stopped before the episode ended: only 90, 50 or 20 % of the frames exist.',
  timeline: true,
  peers: 0,
  flags: ['camera_truncated', 'camera_frames_missing'],
  plants: 'video',
  plan(frames, rate_hz, size) {
    const remainingFrames = Math.round(frames * remainingShares[size]);
    return {
      source: Int32Array.from({ length: remainingFrames }, (_, i) => i),
      rate_hz,
      from_s: remainingFrames / rate_hz,
      to_s: frames / rate_hz,
    };
  },
};
