import type { VideoFault } from '../fault.ts';
import { replaceRun } from './frame-plan.ts';

const shares = { small: 0.15, medium: 0.4, large: 1 } as const;

export const frozenVideo: VideoFault = {
  id: 'frozen_video',
  title: 'Frozen camera',
  about:
    'The camera stopped delivering frames and the last one was repeated: for 15, 40 or 100 % of the frames.',
  timeline: false,
  peers: 0,
  flags: ['camera_frozen', 'camera_frozen_briefly', 'camera_frames_repeated'],
  plants: 'video',
  plan: (frames, rate_hz, size, random) =>
    replaceRun(frames, rate_hz, shares[size], random, (_, first) => first),
};
