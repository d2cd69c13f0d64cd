import { computeRanges, computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import { addRest, estimateNoise } from '../rest.ts';
import type { EpisodeTwin } from './twin.ts';

export const idleStart: EpisodeTwin = {
  id: 'idle_start',
  title: 'Idle start',
  about: 'The operator waits: the arm rests for 1 to 4 s at the start, at most a quarter of the episode.',
  resembles: ['signal_still', 'action_frozen', 'state_frozen', 'episode_idle', 'rows_missing'],
  of: 'episode',
  vary(episode, random) {
    const seconds = Math.min(random.between(1, 4), 0.25 * episode.duration_s);
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0) return null;
    return replaceStreams(
      episode,
      streams.map((stream) => addRest(stream, 0, Math.round(seconds * computeRate_hz(stream)), random)),
    );
  },
};

export const idleEnd: EpisodeTwin = {
  id: 'idle_end',
  title: 'Idle end',
  about:
    'The operator is slow to stop the recorder: the arm rests for 1 to 4 s, at most a quarter of the episode.',
  resembles: ['signal_still', 'action_frozen', 'state_frozen', 'episode_idle', 'rows_missing'],
  of: 'episode',
  vary(episode, random) {
    const seconds = Math.min(random.between(1, 4), 0.25 * episode.duration_s);
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0) return null;
    const changed = streams.map((stream) => {
      const rows = stream.sample_count;
      return addRest(stream, rows - Math.round(seconds * computeRate_hz(stream)), rows, random);
    });
    return replaceStreams(episode, changed);
  },
};

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

export const restingTremor: EpisodeTwin = {
  id: 'resting_tremor',
  title: 'Tremor at rest',
  about:
    'A hand holds the leader for the first third of the episode: the command trembles at 7 to 11 Hz by 0.4 % of its ranges, and the state follows 0.1 s later with half of that.',
  resembles: ['rows_missing', 'timeline_gap', 'signal_chatter'],
  of: 'episode',
  vary(episode, random) {
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
    if (streams.length === 0) return null;
    const tremor_hz = random.between(7, 11);
    const changed = streams.map((stream) => {
      const rows = stream.sample_count;
      const last = Math.round(0.33 * rows);
      const ranges = computeRanges(stream);
      const [size, late] = stream.role === 'state' ? [0.002, 0.1 * computeRate_hz(stream)] : [0.004, 0];
      const turn = (2 * Math.PI * tremor_hz) / computeRate_hz(stream);
      return withValues(addRest(stream, 0, last, random), (values, dims) => {
        for (let row = 0; row < last; row++)
          for (let d = 0; d < dims; d++)
            values[row * dims + d] += size * ranges[d] * Math.sin(turn * (row - late) + 2 * d);
      });
    });
    return replaceStreams(episode, changed);
  },
};
