import type { FormatReader } from '../shared/reader.ts';

export const droidReader: FormatReader = {
  id: 'droid',
  title: 'DROID raw',
  about:
    'Folders of DROID as it is recorded: metadata_<uuid>.json, trajectory.h5 and recordings/MP4, one folder an episode, alone or below <lab>/success|failure/<day>. Every stamp of observation/timestamp is kept as a clock, cameras are found by their serial numbers and named wrist, ext1 and ext2. Success is taken from the metadata and compared with the folder; steps at which the robot was not meant to move become events. Folders that lack something are reported one by one and read as far as possible. Extrinsics are kept and called unreliable, as they are known to be; SVO files are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseDroid(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openDroid(tree, recognition),
};
