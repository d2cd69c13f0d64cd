import type { CleanVariant } from '../mode.ts';
import { dims } from '../recording.ts';

/** The gripper counts from 0 to 1. */
export const gripperToOne: CleanVariant = {
  id: 'gripper_to_one',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes }) => {
    for (const { state, action } of episodes) {
      for (const values of [state, action])
        for (let i = dims - 1; i < values.length; i += dims) values[i] /= 100;
    }
  },
};
