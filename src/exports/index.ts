/** What leaves: a folder a format, with what it can hold and what writes it. */
export { type EditRequest, readEdits } from './edits/plan-edits.ts';
export { exportEdits } from './edits/registry.ts';
export { type KeptSpan, trimByPlan } from './edits/trim.ts';
export type { ExportFormat } from './export-format.ts';
export { type JpegEncoder, openJpegEncoder } from './jpeg/encoder.ts';
export type { CopyPlan } from './lerobot/copy-plan.ts';
export { LeRobotCopy } from './lerobot/copy-set.ts';
export { setFeatures } from './lerobot/features.ts';
export { type CopySource, readSetInfo } from './lerobot/set-info.ts';
export type { CopiedAnnotations } from './lerobot/sidecars/copied-annotations.ts';
export { type CameraStatistics, cameraStatistics } from './lerobot/statistics/statistics.ts';
export { isLeRobotVersion, type LeRobotVersion, lerobotLayouts } from './lerobot-layouts.ts';
export {
  type LeRobotCamera,
  type LeRobotEpisode,
  type LeRobotFeature,
  type LeRobotSet,
  lerobotVideoPath,
  writeLeRobotV3,
} from './lerobot-v3/write-set.ts';
export { type McapChannel, type McapFile, type McapMessage, writeMcap } from './mcap/write-mcap.ts';
export { exportFormats } from './registry.ts';
export type { CameraPictures, RecordedPicture, RgbFrame } from './set/camera-pictures.ts';
export { type EpisodePart, editedParts } from './set/edited-parts.ts';
export { ExportEpisode, taskTexts } from './set/export-episode.ts';
export type { ExportWriter, OpenWriter } from './set/export-writer.ts';
export type { Annotated, Judgement, PictureMask } from './set/judgement.ts';
export { type EpisodeSummary, planSet, type SetPlan } from './set/plan-set.ts';
export type { Sighting, SightingLayer, Sightings } from './set/sightings.ts';
export { summariseEpisode } from './set/stream-summary.ts';
export { type TrainingEpisode, type TrainingVideo, trainingEpisode } from './training-episode.ts';
export { rgbToYuv420 } from './video/rgb-to-yuv.ts';
export { openVideoWriter, type VideoSettings, type VideoWriter } from './video/writer.ts';
