import type { FormatReader } from '../shared/reader.ts';
import { metadataFolderPattern } from '../shared/unreadable-files.ts';

export const videosReader: FormatReader = {
  id: 'videos',
  title: 'Folders of videos',
  about:
    'Video files that belong to nothing else, one an episode. MP4, QuickTime, Matroska, WebM and AVI are read for the times of their frames without decoding; of transport streams, program streams, Flash and Ogg only the pictures are judged. A file without a video track is named and left out. Each folder is a dataset of its own.',
  scope: 'files',
  foreignSiblings: metadataFolderPattern,
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseVideos(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsVideo(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideVideos(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openVideos(tree, recognition),
};
