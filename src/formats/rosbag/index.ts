import type { FormatReader } from '../shared/reader.ts';

/** Reader for ROS 1 bags. */
export const rosbagReader: FormatReader = {
  id: 'rosbag',
  title: 'ROS 1 bag',
  about:
    'ROS 1 bags of version 2.0; uncompressed, bz2 or lz4; complete, without index (.bag.active) or truncated. Every bag is read once from start to end and is one episode. Messages are decoded by the definitions in the bag if they contain signals: numbers become streams, images are sampled, and other messages are counted and timed. The index is compared with what the file contains. Encrypted bags and other versions are not supported. Each folder is a separate dataset.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseBags(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsBag(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideBags(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openRosbags(tree, recognition),
};
