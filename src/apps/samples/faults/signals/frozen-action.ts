import type { EpisodeFault } from '../fault.ts';
import { freeze } from './freeze.ts';

export const frozenAction: EpisodeFault = {
  id: 'frozen_action',
  title: 'Action frozen',
  about:
    'The leader stops sending and the recorder repeats its last command: for 15, 40 or 100 % of the episode.',
  timeline: false,
  peers: 0,
  flags: ['action_frozen'],
  plants: 'episode',
  plant: (episode, size) => freeze(episode, 'action', size),
};
