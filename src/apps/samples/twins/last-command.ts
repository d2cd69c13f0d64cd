import { replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

export const lastCommand: SetTwin = {
  id: 'last_command',
  title: 'Different command in the last row',
  about: 'Every episode ends with a command of all zeros, as control loops write when they stop.',
  resembles: ['signal_jump', 'unit_change', 'rows_missing'],
  of: 'set',
  vary(episodes) {
    if (episodes.some((episode) => streamsOf(episode, 'action').length === 0)) return null;
    return episodes.map((episode) => {
      const ended = streamsOf(episode, 'action').map((stream) =>
        withValues(stream, (values, dims) => {
          values.fill(0, values.length - dims);
        }),
      );
      return replaceStreams(episode, ended);
    });
  },
};
