import type { FormatReader } from '../shared/reader.ts';
import { metadataFolderPattern } from '../shared/unreadable-files.ts';

export const videosReader: FormatReader = {
  id: 'videos',
  title: 'Video folders',
  about:
    'Video files that belong to no other format. Each file is one episode. Frame timestamps of MP4, QuickTime, Matroska, WebM and AVI are read without decoding; for transport streams, program streams, Flash and Ogg only the images are evaluated. Of GoPro videos, the telemetry in the MP4 (GPMF: ACCL, GYRO, MAGN, GRAV, CORI, IORI, GPS5 and GPS9 with fix and precision, exposure time and ISO) becomes streams beside the video, in the declared units and in the camera’s axes where the file declares them; their times are the camera’s own (STMP), else the spans of the payloads in the MP4 track. Files without a video track are reported and skipped. Each folder is a separate dataset.',
  scope: 'files',
  foreignSiblings: metadataFolderPattern,
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseVideos(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsVideo(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideVideos(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openVideos(tree, recognition),
};
