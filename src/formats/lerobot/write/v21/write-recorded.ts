import type { OpenWriter } from '../../../shared/write/export-format.ts';
import { openRecordedWriter } from '../recorded/write-recorded.ts';
import { layoutV21, videoPath } from './layout.ts';

/** Opens a writer of a LeRobot v2.1 set from recordings of another format, with files per episode. */
export const openLeRobotV21: OpenWriter = (options) =>
  openRecordedWriter(options, { layout: layoutV21, data_bytes: 0, video_bytes: 0, videoPath });
