import { blackFrame, type VideoFault } from '../fault.ts';
import { replaceRun } from './frame-plan.ts';

const shares = { small: 0.15, medium: 0.4, large: 1 } as const;

export const blackVideo: VideoFault = {
  id: 'black_video',
  title: 'Black frames',
  about: 'A lens cap, no light or a lost connection: 15, 40 or 100 % of the frames are black.',
  timeline: false,
  peers: 0,
  flags: ['camera_black'],
  plants: 'video',
  plan: (frames, rate_hz, size, random) =>
    replaceRun(frames, rate_hz, shares[size], random, () => blackFrame),
};
