import type { Episode, Series, Stream } from '#core/episode';
import { streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

export const scriptedMotion: SetTwin = {
  id: 'scripted_motion',
  title: 'Same motion in many scenes',
  about:
    'A script or a replay moves the arm identically in different scenes: signals are equal row by row, images are not.',
  resembles: ['duplicate_episode'],
  of: 'set',
  scenes: true,
  vary(episodes) {
    if (episodes.some((episode) => !episode.streams.some(({ frames }) => frames !== undefined))) return null;
    const rowsOf = (episode: Episode) => streamsOf(episode, 'state')[0]?.sample_count ?? 0;
    const script = episodes.reduce((longest, next) => (rowsOf(next) > rowsOf(longest) ? next : longest));
    if (rowsOf(script) === 0) return null;
    return episodes.map((episode) => ({
      ...episode,
      streams: episode.streams.map((stream) => applyScript(stream, script)),
    }));
  },
};

function applyScript(stream: Stream, script: Episode): Stream {
  const source = script.streams.find(({ id }) => id === stream.id);
  if (stream === source || stream.series === undefined || source?.series === undefined) return stream;
  const { values: said } = source.series as Series;
  return withValues(stream, (values) => {
    values.set(said.subarray(0, values.length));
  });
}
