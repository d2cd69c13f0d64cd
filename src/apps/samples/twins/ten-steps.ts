import type { Series, Stream } from '#core/episode';
import { keepSamples, streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

const steps = 10;

export const tenSteps: SetTwin = {
  id: 'ten_steps',
  title: 'Episodes of ten steps',
  about:
    'Step-wise control, as in RLDS datasets: every episode has ten rows, and each action is the difference to the next row.',
  resembles: [
    'action_frozen',
    'state_frozen',
    'signal_jump',
    'episode_too_short',
    'joint_stuck',
    'unit_change',
  ],
  of: 'set',
  vary(episodes) {
    if (episodes.some((episode) => streamsOf(episode, 'state').length === 0)) return null;
    return episodes.map((episode) => ({
      ...episode,
      streams: episode.streams.filter(({ series }) => series !== undefined).map(sampleTenSteps),
    }));
  },
};

function sampleTenSteps(stream: Stream): Stream {
  const every = Math.floor(stream.sample_count / steps);
  const rows = new Set(Array.from({ length: steps }, (_, i) => i * every));
  const sampled: Stream = { ...keepSamples(stream, (i) => rows.has(i)), declared_rate_hz: null };
  if (stream.role !== 'action') return sampled;
  const { values: before } = sampled.series as Series;
  return withValues(sampled, (values, dims) => {
    for (let at = 0; at + dims < values.length; at++) values[at] = before[at + dims] - before[at];
    values.fill(0, values.length - dims);
  });
}
