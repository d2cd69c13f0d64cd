import type { OpenWriter } from '../../../shared/write/set/export-writer.ts';
import { openRecorded } from '../recorded/write-recorded.ts';
import { layoutV21, videoPath } from './layout.ts';

/** Opens a LeRobot v2.1 set of recordings of another format: each episode has files of its own. */
export const openLeRobotV21: OpenWriter = (options) =>
  openRecorded(options, { layout: layoutV21, data_bytes: 0, video_bytes: 0, videoPath });
