import { anywhere, type Mode } from '../mode.ts';

/** One camera of an episode is given the window of another. */
export const v3WindowOfAnotherEpisode: Mode = {
  id: 'v3_window_of_another_episode',
  row: 16,
  versions: ['v3.0'],
  at: anywhere,
  codes: ['video_window_foreign', 'video_spans_overlap'],
  least: 'blocking',
  pair: true,
  plant: (set, { episode, other, camera }) => {
    const key = `videos/${set.recording.cameras[camera]}/`;
    for (const name of Object.keys(set.episodes[episode])) {
      if (name.startsWith(key)) set.episodes[episode][name] = set.episodes[other][name];
    }
  },
};
