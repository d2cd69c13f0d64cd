import { defineRegistry } from '#core';
import { alohaFamily } from './aloha/aloha.ts';
import { d4rlFamily } from './d4rl.ts';
import { robomimicFamily } from './robomimic/robomimic.ts';

/** Every layout that is told apart; the first that knows a file takes it. */
export const hdf5Families = defineRegistry([robomimicFamily, alohaFamily, d4rlFamily]);
