import type { EpisodeFault } from '../fault.ts';
import { freeze } from './freeze.ts';

export const frozenState: EpisodeFault = {
  id: 'frozen_state',
  title: 'State frozen',
  about:
    'The encoder bus stops answering and the last reading is repeated: for 15, 40 or 100 % of the episode.',
  timeline: false,
  peers: 0,
  flags: ['state_frozen'],
  plants: 'episode',
  plant: (episode, size) => freeze(episode, 'state', size),
};
