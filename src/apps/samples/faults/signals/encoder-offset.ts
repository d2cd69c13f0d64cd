import { streamsOf } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';
import { offsetJoint } from './offset.ts';

const shareOfRange = { small: 0.05, medium: 0.08, large: 0.12 } as const;

export const encoderOffset: EpisodeFault = {
  id: 'encoder_offset',
  title: 'Small encoder offset',
  about:
    'An encoder lost some counts: the readings of one joint are shifted by 5, 8 or 12 % of its range in one episode.',
  timeline: false,
  peers: 8,
  flags: ['joint_offset'],
  plants: 'episode',
  plant(episode, size, random) {
    const isCommanded = streamsOf(episode, 'action').length > 0;
    return isCommanded ? offsetJoint(episode, shareOfRange[size], random) : null;
  },
};
