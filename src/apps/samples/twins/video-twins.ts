import { identityPlan } from '../faults/fault.ts';
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
