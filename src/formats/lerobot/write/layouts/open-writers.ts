import type { OpenWriter } from '../../../shared/write/export-format.ts';
import { openRecordedWriter } from '../recorded/write-recorded.ts';
import { dataFile_bytes, formatChunkAndFile, layoutV3, videoFile_bytes } from './v3-layout.ts';
import { layoutV21, videoPath } from './v21-layout.ts';

/** Opens a writer of a LeRobot v3.0 set from recordings of another format, with many episodes per file. */
export const openLeRobotV3: OpenWriter = (options) =>
  openRecordedWriter(options, {
    layout: layoutV3,
    data_bytes: dataFile_bytes,
    video_bytes: videoFile_bytes,
    videoPath: (camera, file) => `videos/${camera}/${formatChunkAndFile(file)}.mp4`,
  });

/** Opens a writer of a LeRobot v2.1 set from recordings of another format, with files per episode. */
export const openLeRobotV21: OpenWriter = (options) =>
  openRecordedWriter(options, { layout: layoutV21, data_bytes: 0, video_bytes: 0, videoPath });
