import type { Random } from '#core';
import type { Episode, Stream } from '#core/episode';
import { computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
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

export const keyboardCommands: SetTwin = {
  id: 'keyboard_commands',
  title: 'Keyboard commands',
  about:
    'Every episode is driven by targets that change with a key press every 0.3 to 1.2 s, while the robot moves towards them.',
  resembles: ['action_frozen', 'signal_jump', 'joint_stuck', 'action_state_lag', 'action_state_disagree'],
  of: 'set',
  vary(episodes, random) {
    const varied = episodes.map((episode) => applyKeystrokes(episode, random));
    return varied.every((episode) => episode !== null) ? varied : null;
  },
};

function applyKeystrokes(episode: Episode, random: Random): Episode | null {
  const [action] = streamsOf(episode, 'action');
  if (action === undefined) return null;
  const rows = action.sample_count;
  const rate_hz = computeRate_hz(action);
  const changed = withValues(action, (values, dims) => {
    for (let from = 0; from < rows; ) {
      const to = Math.min(rows - 1, from + Math.max(2, Math.round(random.between(0.3, 1.2) * rate_hz)));
      const target = values.slice(to * dims, (to + 1) * dims);
      for (let row = from; row < Math.max(to, from + 1); row++) values.set(target, row * dims);
      from = Math.max(to, from + 1);
    }
  });
  return replaceStreams(episode, [changed]);
}

export const velocityCommands: SetTwin = {
  id: 'velocity_commands',
  title: 'Velocity commands',
  about: 'Every episode is driven by velocity commands that are held for 0.5 to 1.5 s, like a twist.',
  resembles: ['action_frozen', 'joint_stuck', 'action_state_disagree', 'action_state_lag', 'joint_offset'],
  of: 'set',
  vary(episodes, random) {
    const varied = episodes.map((episode) => toVelocityCommands(episode, random));
    return varied.every((episode) => episode !== null) ? varied : null;
  },
};

function toVelocityCommands(episode: Episode, random: Random): Episode | null {
  const [action] = streamsOf(episode, 'action');
  const [state] = streamsOf(episode, 'state');
  if (action === undefined || state === undefined || action.series!.dims !== state.series!.dims) return null;
  const rows = action.sample_count;
  const rate_hz = computeRate_hz(action);
  const changed = withValues(action, (values, dims) => {
    for (let from = 0; from < rows - 1; ) {
      const to = Math.min(rows - 1, from + Math.max(2, Math.round(random.between(0.5, 1.5) * rate_hz)));
      for (let d = 0; d < dims; d++) {
        const speed = ((values[to * dims + d] - values[from * dims + d]) * rate_hz) / (to - from);
        for (let row = from; row < to; row++) values[row * dims + d] = speed;
      }
      from = to;
    }
    values.copyWithin((rows - 1) * dims, (rows - 2) * dims, (rows - 1) * dims);
  });
  return replaceStreams(episode, [addVelocitySuffix(changed)]);
}

function addVelocitySuffix(stream: Stream): Stream {
  return { ...stream, names: stream.names === null ? null : stream.names.map((name) => `${name}.velocity`) };
}

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
