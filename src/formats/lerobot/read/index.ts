import type { FormatReader } from '../../shared/reader.ts';
import type { CarriedSet } from '../metadata/lerobot-set.ts';

/** Reader for LeRobot sets. */
export const lerobotReader: FormatReader = {
  id: 'lerobot',
  title: 'LeRobot v2.0, v2.1, v3.0',
  about:
    'A folder with meta/info.json beside data/ and videos/. Numbers are read from Parquet, episode by episode; videos and pictures stay where they are and are referred to by file and span. Versions before 2 are refused; newer ones are read when their files are laid out as in v3.0.',
  scope: 'folder',
  reportsClosedFile: (path) => !path.startsWith('meta/'),
  recognise: async (tree) => (await import('./recognise.ts')).recogniseLeRobot(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openLeRobot(tree, recognition),
  openSnapshot: async (tree, recognition, carried) =>
    (await import('./open-carried.ts')).openCarriedLeRobot(tree, recognition, carried as CarriedSet),
};
