/** Public API of exports: formats, edits, plans and writers. */

export type { CopiedAnnotations } from '../lerobot/write/copied-annotations.ts';
export type { CopyPlan } from '../lerobot/write/copy-plan.ts';
export { LeRobotCopy } from '../lerobot/write/copy-set.ts';
export {
  type CopySource,
  createAbsentCameraError,
  readSetInfo,
  resolveSetFeatures,
} from '../lerobot/write/features.ts';
export { isLeRobotVersion, type LeRobotVersion, lerobotLayouts } from '../lerobot/write/layouts/layouts.ts';
export {
  type LeRobotCamera,
  type LeRobotEpisode,
  type LeRobotFeature,
  type LeRobotSet,
  lerobotVideoPath,
  writeLeRobotV3,
} from '../lerobot/write/layouts/write-v3-set.ts';
export { type CameraStatistics, computeCameraStatistics } from '../lerobot/write/statistics.ts';
export { type McapChannel, type McapFile, type McapMessage, writeMcap } from '../mcap/write/write-mcap.ts';
export { type EditRequest, exportEdits, mayLeaveRows, readEdits } from '../shared/write/edits/registry.ts';
export { type TrimSpan, trimByPlan } from '../shared/write/edits/time-edits.ts';
export type { ExportFormat, ExportWriter, OpenWriter } from '../shared/write/export-format.ts';
export { computeEditedParts, type EpisodePart } from '../shared/write/set/edited-parts.ts';
export { ExportEpisode, taskTexts } from '../shared/write/set/export-episode.ts';
export type {
  DetectionLayer,
  EpisodeAnnotations,
  Judgement,
  LayerDetection,
  LayerDetections,
  PictureMask,
} from '../shared/write/set/judgement.ts';
export { type EpisodeSummary, planSet, type SetPlan } from '../shared/write/set/plan-set.ts';
export { summariseEpisode } from '../shared/write/set/stream-summary.ts';
export {
  type TrainingEpisode,
  type TrainingVideo,
  toTrainingEpisode,
} from '../shared/write/training-episode.ts';
export { exportFormats } from './registry.ts';
