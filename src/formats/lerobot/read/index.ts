import type { FormatReader } from '../../shared/reader.ts';
import type { CarriedSet } from '../metadata/carried-set.ts';

export const lerobotReader: FormatReader = {
  id: 'lerobot',
  title: 'LeRobot v2.0, v2.1, v3.0',
  about:
    'A folder with meta/info.json beside data/ and videos/. Numbers are read from Parquet, episode by episode; videos and pictures stay where they are and are referred to by file and span. Versions before 2 are refused; newer ones are read when their files are laid out as in v3.0.',
  scope: 'folder',
  saysClosed: (path) => !path.startsWith('meta/'),
  recognise: async (tree) => (await import('./recognise.ts')).recogniseLeRobot(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openLeRobot(tree, recognition),
  openCarried: async (tree, recognition, carried) =>
    (await import('../metadata/open-carried.ts')).openCarriedLeRobot(
      tree,
      recognition,
      carried as CarriedSet,
    ),
};
