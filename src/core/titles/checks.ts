/** Titles of the readiness checks, by id. */
export const checkTitles = {
  timeline_integrity: 'Timeline integrity',
  signal_sync: 'Stream synchronization',
  episode_length: 'Episode length',
  kinematic_sanity: 'Motion plausibility',
  action_state_agreement: 'Action–state agreement',
  gripper_activity: 'Gripper activity',
  gripper_consistency: 'Gripper consistency',
  language_presence: 'Instruction presence',
  language_quality: 'Instruction quality',
  camera_coverage: 'Camera coverage',
  image_integrity: 'Image integrity',
  annotation_coverage: 'Label coverage and validity',
} as const;

/** Titles of the comparisons across the episodes of a dataset, by id. */
export const comparisonTitles = {
  duplicate_episode: 'Duplicate episodes',
  split_leakage: 'Split leakage',
  joint_offset: 'Joint offsets',
  schema_drift: 'Schema drift',
  missing_camera: 'Missing cameras',
  placeholder_camera: 'Placeholder cameras',
  declared_pictures: 'Declared image sizes',
  served_frames: 'Loader frame lookup',
  swapped_cameras: 'Swapped cameras',
  camera_lag: 'Camera lag',
  wrong_rate: 'Declared rates',
  wrong_instruction: 'Instruction–motion mismatches',
  unit_drift: 'Inconsistent units',
  lag_drift: 'Action–state lag drift',
  convention_mix: 'Mixed gripper conventions',
  set_statistics: 'Dataset statistics',
  usual_motion: 'Dataset-wide motion patterns',
  idle_episode: 'Idle episodes',
  joint_order: 'Flipped or swapped joints',
} as const;
