import { identityPlan } from '../faults/video/frame-plan.ts';
import type { VideoTwin } from './twin.ts';

export const lerobotVideo: VideoTwin = {
  id: 'lerobot_video',
  title: 'Video as LeRobot writes it',
  about:
    'AV1 with a key frame every second frame: while little moves, every second pair of frames is identical.',
  resembles: ['camera_frozen', 'camera_frozen_briefly', 'camera_frames_repeated'],
  of: 'video',
  plan: (frames, rate_hz) => ({
    ...identityPlan(frames, rate_hz),
    coding: { codec: 'av1', quality: 30, keyframe_every: 2 },
  }),
};
