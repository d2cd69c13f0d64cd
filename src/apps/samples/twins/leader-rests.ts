import { computeRanges, computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import { estimateNoise } from '../rest.ts';
import type { EpisodeTwin } from './twin.ts';

export const leaderRests: EpisodeTwin = {
  id: 'leader_rests',
  title: 'Leader rests while the follower moves to it',
  about:
    'At the start the leader does not move, so its commands repeat, while the follower moves from elsewhere to the pose of the leader within 1 to 2 s.',
  resembles: ['action_frozen', 'joint_offset', 'signal_jump'],
  of: 'episode',
  vary(episode, random) {
    const [state] = streamsOf(episode, 'state');
    const [action] = streamsOf(episode, 'action');
    if (state === undefined || action === undefined || state.series!.dims !== action.series!.dims)
      return null;
    const seconds = Math.min(random.between(1, 2), 0.2 * episode.duration_s);
    const [until, commands] = [state, action].map((stream) => Math.round(seconds * computeRate_hz(stream)));
    const noise = estimateNoise(state.series!);
    const away = [...computeRanges(state)].map((range) => range * random.between(-0.4, 0.4));
    const homing = withValues(state, (values, dims) => {
      for (let row = 0; row < until; row++) {
        const u = row / until;
        const left = 1 - u ** 3 * (10 - 15 * u + 6 * u ** 2);
        for (let d = 0; d < dims; d++)
          values[row * dims + d] = values[until * dims + d] + left * away[d] + noise[d] * random.normal();
      }
    });
    const resting = withValues(action, (values, dims) => {
      for (let row = 0; row < commands; row++)
        values.copyWithin(row * dims, commands * dims, (commands + 1) * dims);
    });
    return replaceStreams(episode, [homing, resting]);
  },
};
