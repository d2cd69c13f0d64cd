import type { Stream } from '#core/episode';
import { computeRanges, replaceStreams, streamsOf, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

export const unitChange: EpisodeFault = {
  id: 'unit_change',
  title: 'Different units',
  about:
    'Degrees where the other episodes have radians, or the reverse: for the second half of the episode, for the whole episode, or for the state only.',
  timeline: false,
  peers: 8,
  flags: ['unit_change', 'unit_drift', 'unit_mismatch'],
  plants: 'episode',
  plant(episode, size) {
    const [state] = streamsOf(episode, 'state');
    const [action] = streamsOf(episode, 'action');
    if (state === undefined) return null;
    const factor = Math.max(...computeRanges(state)) > 7 ? Math.PI / 180 : 180 / Math.PI;
    const fromShare = size === 'small' ? 0.5 : 0;
    const touched = size === 'large' || action === undefined ? [state] : [state, action];
    return {
      episode: replaceStreams(
        episode,
        touched.map((stream) => scaleFrom(stream, factor, fromShare)),
      ),
      marks: touched.map((stream) => ({
        stream: stream.id,
        from_s: episode.duration_s * fromShare,
        to_s: episode.duration_s,
      })),
    };
  },
};

function scaleFrom(stream: Stream, factor: number, fromShare: number): Stream {
  const first = Math.floor(stream.sample_count * fromShare);
  return withValues(stream, (values, dims) => {
    for (let row = first; row < stream.sample_count; row++) {
      for (let dim = 0; dim < dims; dim++)
        if (!/grip|jaw|claw/i.test(stream.names?.[dim] ?? '')) values[row * dims + dim] *= factor;
    }
  });
}
