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
