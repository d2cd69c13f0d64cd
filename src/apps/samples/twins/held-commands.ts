import { replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

export const repeatedCommands: SetTwin = {
  id: 'held_commands',
  title: 'Commands slower than the rows',
  about:
    'A policy runs at a third of the rate: in every episode each command is repeated in three consecutive rows.',
  resembles: ['action_frozen', 'signal_jump', 'signal_chatter', 'signal_still'],
  of: 'set',
  vary(episodes) {
    if (episodes.some((episode) => streamsOf(episode, 'action').length === 0)) return null;
    return episodes.map((episode) => {
      const repeatedStreams = streamsOf(episode, 'action').map((stream) =>
        withValues(stream, (values, dims) => {
          for (let row = 0; row * dims < values.length; row++) {
            const sourceRow = row - (row % 3);
            values.copyWithin(row * dims, sourceRow * dims, (sourceRow + 1) * dims);
          }
        }),
      );
      return replaceStreams(episode, repeatedStreams);
    });
  },
};
