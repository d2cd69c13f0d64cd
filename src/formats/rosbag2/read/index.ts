import type { FormatReader } from '../../shared/reader.ts';

/** Reader for ROS 2 bags in SQLite files. */
export const rosbag2Reader: FormatReader = {
  id: 'rosbag2',
  title: 'ROS 2 bag in SQLite',
  about:
    "ROS 2 bags in SQLite files (.db3), in bag folders of every metadata version or alone, split or whole, plain or compressed with zstd by file or by message. The database is parsed, not run: no SQL, no trigger, no view. A write-ahead log left beside it is applied and a hot journal rolled back, as SQLite would. Messages in cdr are decoded as far as they hold signals, by the definitions in the bag or by those that come with ROS 2; of other types the messages are counted and timed. A bag that metadata.yaml describes is one episode, its files joined in order; any other file is an episode. Each folder is a dataset of its own. MCAP storage is the MCAP reader's.",
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseRosbag2(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsDatabase(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideRosbag2(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openRosbag2(tree, recognition),
};
