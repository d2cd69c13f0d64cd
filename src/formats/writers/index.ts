/** A door of its own: whoever reads writes nothing. */
export { type JpegEncoder, openJpegEncoder } from './jpeg.ts';
export {
  type LeRobotCamera,
  type LeRobotEpisode,
  type LeRobotFeature,
  type LeRobotSet,
  lerobotVideoPath,
  writeLeRobotV3,
} from './lerobot-v3.ts';
export { type McapChannel, type McapFile, type McapMessage, writeMcap } from './mcap.ts';
export { type CameraStatistics, cameraStatistics } from './statistics.ts';
export { openVideoWriter, type VideoSettings, type VideoWriter } from './video.ts';
