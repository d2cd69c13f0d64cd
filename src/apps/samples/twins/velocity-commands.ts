import type { Random } from '#core';
import type { Episode, Stream } from '#core/episode';
import { computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

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
