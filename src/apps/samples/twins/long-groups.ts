import { identityPlan } from '../faults/video/frame-plan.ts';
import type { VideoTwin } from './twin.ts';

export const longGroups: VideoTwin = {
  id: 'long_groups',
  title: 'Sparse key frames',
  about:
    'One key frame in 250: only few positions can be decoded cheaply, and still scenes take almost no bytes.',
  resembles: ['camera_frozen', 'camera_frozen_briefly', 'camera_frames_repeated'],
  of: 'video',
  plan: (frames, rate_hz, random) => ({
    ...identityPlan(frames, rate_hz),
    coding: { codec: random.pick(['h264', 'av1'] as const), keyframe_every: 250 },
  }),
};
