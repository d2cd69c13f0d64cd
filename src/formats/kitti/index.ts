import type { FormatReader } from '../shared/reader.ts';

export const kittiReader: FormatReader = {
  id: 'kitti-raw',
  title: 'KITTI raw',
  about:
    'The folder of a day with its drives (sync or extract), or a drive alone; a drive is an episode. Every sensor keeps the times of its own timestamps.txt, where the line number is the number of the frame and an empty line a frame that is not there. OXTS packets become signals with their names and units, pictures and laser scans stay in their files, calibration of the day is kept, and tracklet_labels.xml says when labelled objects are first seen. Times are local and name no zone, so an episode has no moment on the calendar.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseKitti(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openKitti(tree, recognition),
};
