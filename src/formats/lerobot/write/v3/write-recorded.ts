import type { OpenWriter } from '../../../shared/write/export-format.ts';
import { openRecordedWriter } from '../recorded/write-recorded.ts';
import { dataFile_bytes, formatChunkAndFile, layoutV3, videoFile_bytes } from './layout.ts';

/** Opens a writer of a LeRobot v3.0 set from recordings of another format, with many episodes per file. */
export const openLeRobotV3: OpenWriter = (options) =>
  openRecordedWriter(options, {
    layout: layoutV3,
    data_bytes: dataFile_bytes,
    video_bytes: videoFile_bytes,
    videoPath: (camera, file) => `videos/${camera}/${formatChunkAndFile(file)}.mp4`,
  });
