import { replace, videoOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const videoLfsPointer: Mode = {
  id: 'video_lfs_pointer',
  row: 19,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['lfs_pointers', 'lfs_pointer'],
  least: 'blocking',
  concerns: ({ episode, camera }, set) => videoOf(set, episode, camera).clips.map((clip) => clip.episode),
  plant: (set, { episode, camera }) =>
    replace(
      set,
      videoOf(set, episode, camera).path,
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 182734\n`,
    ),
};
