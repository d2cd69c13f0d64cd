import type { OpenWriter } from '../../../shared/write/set/export-writer.ts';
import { openRecorded } from '../recorded/write-recorded.ts';
import { chunkAndFile, dataFile_bytes, layoutV3, videoFile_bytes } from './layout.ts';

/** Opens a LeRobot v3.0 set of recordings of another format: files hold many episodes. */
export const openLeRobotV3: OpenWriter = (options) =>
  openRecorded(options, {
    layout: layoutV3,
    data_bytes: dataFile_bytes,
    video_bytes: videoFile_bytes,
    videoPath: (camera, file) => `videos/${camera}/${chunkAndFile(file)}.mp4`,
  });
