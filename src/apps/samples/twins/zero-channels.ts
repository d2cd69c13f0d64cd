import type { Episode, Series, Stream } from '#core/episode';
import { streamsOf } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

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
