/** What leaves: a folder a format, with what it can hold and what writes it. */

export type { CopyPlan } from '../lerobot/write/copy-plan.ts';
export { LeRobotCopy } from '../lerobot/write/copy-set.ts';
export { setFeatures } from '../lerobot/write/features.ts';
export { isLeRobotVersion, type LeRobotVersion, lerobotLayouts } from '../lerobot/write/layouts.ts';
export { type CopySource, readSetInfo } from '../lerobot/write/set-info.ts';
export type { CopiedAnnotations } from '../lerobot/write/sidecars/copied-annotations.ts';
export { type CameraStatistics, cameraStatistics } from '../lerobot/write/statistics/statistics.ts';
export {
  type LeRobotCamera,
  type LeRobotEpisode,
  type LeRobotFeature,
  type LeRobotSet,
  lerobotVideoPath,
  writeLeRobotV3,
} from '../lerobot/write/v3/write-set.ts';
export { type McapChannel, type McapFile, type McapMessage, writeMcap } from '../mcap/write/write-mcap.ts';
export { type EditRequest, readEdits } from '../shared/write/edits/plan-edits.ts';
export { exportEdits } from '../shared/write/edits/registry.ts';
export { type KeptSpan, trimByPlan } from '../shared/write/edits/trim.ts';
export type { ExportFormat } from '../shared/write/export-format.ts';
export { type EpisodePart, editedParts } from '../shared/write/set/edited-parts.ts';
export { ExportEpisode, taskTexts } from '../shared/write/set/export-episode.ts';
export type { ExportWriter, OpenWriter } from '../shared/write/set/export-writer.ts';
export type { Annotated, Judgement, PictureMask } from '../shared/write/set/judgement.ts';
export { type EpisodeSummary, planSet, type SetPlan } from '../shared/write/set/plan-set.ts';
export type { Sighting, SightingLayer, Sightings } from '../shared/write/set/sightings.ts';
export { summariseEpisode } from '../shared/write/set/stream-summary.ts';
export {
  type TrainingEpisode,
  type TrainingVideo,
  trainingEpisode,
} from '../shared/write/training-episode.ts';
export { exportFormats } from './registry.ts';
