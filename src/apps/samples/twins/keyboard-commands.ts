import type { Random } from '#core';
import type { Episode } from '#core/episode';
import { computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

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
