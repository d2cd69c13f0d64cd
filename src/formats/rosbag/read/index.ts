import type { FormatReader } from '../../shared/reader.ts';

/** Reader for ROS 1 bags. */
export const rosbagReader: FormatReader = {
  id: 'rosbag',
  title: 'ROS 1 bag',
  about:
    'ROS 1 bags of version 2.0, plain, bz2 or lz4, whole, without index (.bag.active) or truncated. Every bag is read once from start to end, and is an episode. Messages are decoded by the definitions in the bag as far as they hold signals: numbers become streams, pictures are sampled, everything else is counted and timed. What the index says is compared with what is found. Encrypted bags and other versions are refused. Each folder is a dataset of its own.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseBags(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsBag(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideBags(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openRosbags(tree, recognition),
};
