import type { FormatReader } from '../shared/reader.ts';

/** Reader of raw DROID folders. */
export const droidReader: FormatReader = {
  id: 'droid',
  title: 'DROID raw',
  about:
    'DROID folders as recorded: metadata_<uuid>.json, trajectory.h5 and recordings/MP4, one folder per episode, alone or below <lab>/success|failure/<day>. Every timestamp in observation/timestamp is kept as a clock; cameras are found by serial number and named wrist, ext1 and ext2. Success is taken from the metadata and compared with the folder; steps at which the robot was not meant to move become events. Incomplete folders are reported and read as far as possible. Extrinsics are kept and marked as unreliable, which is a known issue of DROID. SVO files are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseDroid(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openDroid(tree, recognition),
};
