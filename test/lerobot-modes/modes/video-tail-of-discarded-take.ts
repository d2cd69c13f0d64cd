import { clipOf, countWindows, videoOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Pictures of a discarded take were left in the staging folder and encoded behind the new one. */
export const videoTailOfDiscardedTake: Mode = {
  id: 'video_tail_of_discarded_take',
  row: 12,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_frames_extra'],
  least: 'warning',
  plant: (set, { episode, camera, random }) => {
    const clip = clipOf(set, episode, camera);
    const { takes } = set.recording;
    const take = (clip.shots[0].take + 1) % takes.length;
    const tail = Array.from({ length: random.integer(4, 24) }, (_, row) => ({
      camera,
      take,
      row: row + 60,
      grain: 9,
    }));
    clip.shots = [...clip.shots, ...tail];
    countWindows(set, videoOf(set, episode, camera));
  },
};
