/**
 * Bounds of a check's settings: threshold offset within ±0.2, weight 0 to 3 times the default. A separate module, so
 * that judging does not load schemas.
 */
export const settingBounds = { threshold_offset: [-0.2, 0.2], weight_factor: [0, 3] } as const;

/** Ids of certification metrics, in display order. */
export const certificationMetricIds = [
  'format.loadable',
  'timeline.monotonic',
  'timeline.gap_ratio',
  'timeline.jitter',
  'sync.overlap',
  'sync.content_lag',
  'kinematics.violations',
  'kinematics.frozen_ratio',
  'action.saturation',
  'gripper.convention',
  'calibration.drift',
  'camera.coverage',
  'camera.frozen_frames',
  'image.decodable',
  'image.blur',
  'image.exposure',
  'image.duplicates',
  'stereo.reprojection',
  'language.instruction_present',
  'language.caption_coverage',
  'language.caption_boundaries',
  'language.caption_video_agreement',
  'annotation.coverage',
  'split.leakage',
] as const;
export type CertificationMetricId = (typeof certificationMetricIds)[number];

/** Verdicts of certification, best first; `not_assessable` is last and ranks neither better nor worse. */
export const certificationVerdicts = ['certified', 'review_required', 'not_ready', 'not_assessable'] as const;
export type CertificationVerdict = (typeof certificationVerdicts)[number];

/** Export formats, in display order. */
export const exportFormatIds = [
  'lerobot-v3',
  'lerobot-v2.1',
  'webdataset',
  'coco-detection',
  'image-folder',
  'zarr-replay-buffer',
  'mcap',
] as const;
export type ExportFormatId = (typeof exportFormatIds)[number];

/** Ids of the edits that an export can make, in the order in which they are applied. */
export const exportEditIds = [
  'drop',
  'convert',
  'cut',
  'shift',
  'trim',
  'video',
  'size',
  'rename',
  'split',
] as const;
export type ExportEditId = (typeof exportEditIds)[number];

/** Stages that leave episodes out of an export, in the order in which they apply: an episode counts for the first. */
export const dropStages = ['without', 'curation', 'slice', 'episode_ids', 'decision', 'held_out'] as const;
export type DropStage = (typeof dropStages)[number];
