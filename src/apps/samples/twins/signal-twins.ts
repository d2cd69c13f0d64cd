import type { Random } from '#core';
import type { Episode, Series, Stream } from '#core/episode';
import { computeRanges, computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { EpisodeTwin, SetTwin } from './twin.ts';

export const quaternionSign: SetTwin = {
  id: 'quaternion_sign',
  title: 'Quaternion sign flips',
  about:
    'The pose is also recorded, with a quaternion that flips to −q, the same orientation, up to four times.',
  resembles: ['signal_jump', 'unit_change', 'rows_missing'],
  of: 'set',
  vary(episodes, random) {
    if (episodes.some((episode) => streamsOf(episode, 'state').length === 0)) return null;
    return episodes.map((episode) => addPose(episode, random));
  },
};

const poseNames = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'];

function addPose(episode: Episode, random: Random): Episode {
  const [state] = streamsOf(episode, 'state');
  const { values, dims } = state.series!;
  const rows = state.sample_count;
  const turns = new Set(Array.from({ length: 4 }, () => random.integer(10, rows - 10)));
  const pose = new Float64Array(rows * poseNames.length);
  let sign = 1;
  for (let row = 0; row < rows; row++) {
    if (turns.has(row)) sign = -sign;
    const at = row / rows;
    const [yaw, tilt] = [1.4 * Math.sin(5 * at), 0.5 * Math.cos(7 * at)];
    const place = [0, 1, 2].map((d) => values[row * dims + (d % dims)]);
    const q = [
      Math.sin(tilt / 2) * Math.cos(yaw / 2),
      Math.sin(tilt / 2) * Math.sin(yaw / 2),
      Math.cos(tilt / 2) * Math.sin(yaw / 2),
      Math.cos(tilt / 2) * Math.cos(yaw / 2),
    ];
    pose.set([...place, ...q.map((part) => sign * (part + 1e-4 * random.normal()))], row * poseNames.length);
  }
  const stream: Stream = {
    ...state,
    id: `${state.id}.pose`,
    shape: [poseNames.length],
    names: poseNames,
    series: { values: pose, dims: poseNames.length },
  };
  return { ...episode, streams: [...episode.streams, stream] };
}

export const simulatedNoise: SetTwin = {
  id: 'simulated_noise',
  title: 'Simulated joint velocities',
  about:
    'Every episode also records joint velocities, with the noise of a contact solver: about 4 % of their range in every row.',
  resembles: ['signal_chatter', 'signal_jump'],
  of: 'set',
  vary(episodes, random) {
    if (episodes.some((episode) => streamsOf(episode, 'state').length === 0)) return null;
    return episodes.map((episode) => addVelocities(episode, random));
  },
};

function addVelocities(episode: Episode, random: Random): Episode {
  const [state] = streamsOf(episode, 'state');
  const { values, dims } = state.series!;
  const rate_hz = computeRate_hz(state);
  const rows = state.sample_count;
  const speeds = new Float64Array(values.length);
  for (let row = 2; row < rows - 2; row++)
    for (let d = 0; d < dims; d++)
      speeds[row * dims + d] = ((values[(row + 2) * dims + d] - values[(row - 2) * dims + d]) * rate_hz) / 4;
  const stream = {
    ...state,
    id: `${state.id}.velocity`,
    names: state.names === null ? null : state.names.map((name) => `${name}.velocity`),
    series: { values: speeds, dims },
  };
  const ranges = computeRanges(stream);
  for (let i = 0; i < speeds.length; i++) speeds[i] += 0.04 * ranges[i % dims] * random.normal();
  return { ...episode, streams: [...episode.streams, stream] };
}

export const slightOffset: EpisodeTwin = {
  id: 'slight_offset',
  title: 'Slight offset',
  about:
    'Load, temperature and backlash: in one episode the state of a joint differs from its command by 0.5 % of the widest range more than usual.',
  resembles: ['joint_offset'],
  of: 'episode',
  vary(episode, random) {
    const [state] = streamsOf(episode, 'state');
    if (state === undefined) return null;
    const ranges = computeRanges(state);
    const widest = [...ranges].sort((a, b) => b - a)[Math.min(1, ranges.length - 1)];
    const dimension = random.integer(0, ranges.length - 1);
    const offset = 0.005 * widest * (random.next() < 0.5 ? -1 : 1);
    const changed = withValues(state, (values, dims) => {
      for (let at = dimension; at < values.length; at += dims) values[at] += offset;
    });
    return replaceStreams(episode, [changed]);
  },
};

export const zeroChannels: SetTwin = {
  id: 'zero_channels',
  title: 'Channels of zeros',
  about:
    'Every episode has channels that this robot has no sensor for, all zero: two extra state columns, an effort and an IMU.',
  resembles: ['signal_still', 'state_frozen', 'joint_stuck', 'unit_drift'],
  of: 'set',
  vary(episodes) {
    if (episodes.some((episode) => streamsOf(episode, 'state').length === 0)) return null;
    return episodes.map(addZeroChannels);
  },
};

function addZeroChannels(episode: Episode): Episode {
  const [state] = streamsOf(episode, 'state');
  const zeros = (id: string, role: Stream['role'], dims: number): Stream => ({
    ...state,
    id,
    role,
    shape: [dims],
    names: null,
    series: { values: new Float32Array(state.sample_count * dims), dims },
  });
  const more = [zeros('effort', 'effort', 7), zeros('imu', 'imu', 6), zeros('state.unused', 'state', 3)];
  const streams = episode.streams.map((stream) => (stream === state ? addZeroColumns(state) : stream));
  return { ...episode, streams: [...streams, ...more] };
}

function addZeroColumns(stream: Stream): Stream {
  const { values, dims } = stream.series as Series;
  const wide = new Float64Array(stream.sample_count * (dims + 2));
  for (let row = 0; row < stream.sample_count; row++)
    wide.set(values.subarray(row * dims, (row + 1) * dims), row * (dims + 2));
  const names = stream.names === null ? null : [...stream.names, 'unused_1', 'unused_2'];
  return { ...stream, shape: [dims + 2], names, series: { values: wide, dims: dims + 2 } };
}
