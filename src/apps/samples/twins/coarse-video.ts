import { identityPlan } from '../faults/video/frame-plan.ts';
import type { VideoTwin } from './twin.ts';

export const coarseVideo: VideoTwin = {
  id: 'coarse_video',
  title: 'Coarse video encoding',
  about:
    'Low bit rate: coarse quantisation and a key frame every second make consecutive frames identical while little moves.',
  resembles: ['camera_frozen', 'camera_frozen_briefly', 'camera_frames_repeated'],
  of: 'video',
  plan: (frames, rate_hz, random) => ({
    ...identityPlan(frames, rate_hz),
    coding: { codec: 'h264', quality: random.integer(36, 42), keyframe_every: rate_hz },
  }),
};
