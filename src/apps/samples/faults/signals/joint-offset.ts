import type { EpisodeFault } from '../fault.ts';
import { offsetJoint } from './offset.ts';

const shareOfRange = { small: 0.1, medium: 0.25, large: 0.6 } as const;

export const jointOffset: EpisodeFault = {
  id: 'joint_offset',
  title: 'Wrong joint calibration',
  about:
    'The arm was recalibrated with one joint off: all readings of that joint are shifted by 10, 25 or 60 % of its range.',
  timeline: false,
  peers: 8,
  flags: ['joint_offset'],
  plants: 'episode',
  plant(episode, size, random) {
    return offsetJoint(episode, shareOfRange[size], random);
  },
};
