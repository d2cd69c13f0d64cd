import type { FormatReader } from '../../shared/reader.ts';
import type { LeRobotSnapshot } from '../metadata/lerobot-set.ts';

/** Reader for LeRobot sets. */
export const lerobotReader: FormatReader = {
  id: 'lerobot',
  title: 'LeRobot v2.0, v2.1, v3.0',
  about:
    'A folder with meta/info.json next to data/ and videos/. Numbers are read from Parquet, one episode at a time; videos and images stay in place and are referenced by file and time range. Versions before 2.0 are not supported; versions after 3.0 are read if they use the file layout of v3.0.',
  scope: 'folder',
  reportsClosedFile: (path) => !path.startsWith('meta/'),
  recognise: async (tree) => (await import('./recognise.ts')).recogniseLeRobot(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openLeRobot(tree, recognition),
  openSnapshot: async (tree, recognition, snapshot) =>
    (await import('./open-snapshot.ts')).openLeRobotSnapshot(tree, recognition, snapshot as LeRobotSnapshot),
};
