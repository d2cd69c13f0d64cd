import type { Random } from '#core';
import type { Episode, Stream } from '#core/episode';
import { streamsOf } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

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

const names = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'];

function addPose(episode: Episode, random: Random): Episode {
  const [state] = streamsOf(episode, 'state');
  const { values, dims } = state.series!;
  const rows = state.sample_count;
  const turns = new Set(Array.from({ length: 4 }, () => random.integer(10, rows - 10)));
  const pose = new Float64Array(rows * names.length);
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
    pose.set([...place, ...q.map((part) => sign * (part + 1e-4 * random.normal()))], row * names.length);
  }
  const stream: Stream = {
    ...state,
    id: `${state.id}.pose`,
    shape: [names.length],
    names,
    series: { values: pose, dims: names.length },
  };
  return { ...episode, streams: [...episode.streams, stream] };
}
