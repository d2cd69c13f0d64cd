import type { FormatReader } from '../shared/reader.ts';

/** Reader of comma2k19 folders. */
export const comma2k19Reader: FormatReader = {
  id: 'comma2k19',
  title: 'comma2k19',
  about:
    'Driving segments of about a minute in the comma2k19 layout: one folder per segment with NumPy arrays in processed_log/ and global_pose/. Each segment is one episode, in route order. CAN, IMU and GNSS keep their own times since the device booted; frames of the raw HEVC video are timed by their number in frame_times, and frame_gps_times adds GPS time. Arrays of Python objects are refused. raw_log.bz2 and preview.png are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseComma(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openComma(tree, recognition),
};
