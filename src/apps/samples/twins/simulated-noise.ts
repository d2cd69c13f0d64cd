import type { Random } from '#core';
import type { Episode } from '#core/episode';
import { computeRanges, computeRate_hz, streamsOf } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

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
