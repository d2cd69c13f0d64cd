import type { FormatReader } from '../shared/reader.ts';

/** Reader for ROS 2 bags in SQLite files. */
export const rosbag2Reader: FormatReader = {
  id: 'rosbag2',
  title: 'ROS 2 bag in SQLite',
  about:
    'ROS 2 bags in SQLite files (.db3); in bag folders of any metadata version or alone; split or not; uncompressed or zstd, by file or by message. The database is parsed without running SQL, triggers or views. A write-ahead log next to it is applied and a hot journal rolled back, as SQLite would do. Messages in cdr are decoded if they contain signals, by the definitions in the bag or those shipped with ROS 2; messages of other types are counted and timed. A bag described by metadata.yaml is one episode, its files joined in order; any other file is one episode. Each folder is a separate dataset. Bags with MCAP storage are read by the MCAP reader.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseRosbag2(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsDatabase(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideRosbag2(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openRosbag2(tree, recognition),
};
