import type { FormatReader } from '../shared/reader.ts';

/** Reader of raw KITTI folders. */
export const kittiReader: FormatReader = {
  id: 'kitti-raw',
  title: 'KITTI raw',
  about:
    'A KITTI date folder with its drives (sync or extract), or a single drive. Each drive is one episode. Every sensor keeps the times in its own timestamps.txt, where line numbers are frame numbers and an empty line is a missing frame. OXTS packets become signals with their names and units; images and laser scans stay in their files; the calibration of the date is kept; events from tracklet_labels.xml mark when labelled objects first appear. Times are local and have no time zone, so an episode has no absolute start time.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseKitti(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openKitti(tree, recognition),
};
