import type { FormatReader } from '../shared/reader.ts';

export const comma2k19Reader: FormatReader = {
  id: 'comma2k19',
  title: 'comma2k19',
  about:
    'Minutes of driving as comma2k19 lays them out: a folder a segment with processed_log/ and global_pose/ of NumPy arrays, one segment an episode, in the order of their routes. CAN, IMU and GNSS keep their own times since the device started; frames of the raw HEVC video are found by their number in frame_times, which has GPS time beside it. Arrays of Python objects are refused. raw_log.bz2 and preview.png are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseComma(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openComma(tree, recognition),
};
