import type { CleanVariant } from '../mode.ts';
import { recordEpisode } from '../recording.ts';

/** The same script on other tables under other light: actions are equal, pictures are not. */
export const scriptedInNewScenes: CleanVariant = {
  id: 'scripted_in_new_scenes',
  versions: ['v2.1', 'v3.0'],
  record: (recording) => {
    const { takes, seed, fps, episodes } = recording;
    for (let e = 3; e < episodes.length; e++) {
      const scene = Math.floor(e / 3);
      const { action } = episodes[e % 3];
      const episode = recordEpisode(takes[e % 3], e % 3, seed, fps, e);
      const shots = episode.shots.map((own) => own.map((shot) => ({ ...shot, scene })));
      episodes[e] = { ...episode, action: action.slice(), shots };
    }
  },
};
