import { type Version, versions } from './written-set.ts';

const both: readonly Version[] = versions;
const v2: readonly Version[] = ['v2.1'];
const v3: readonly Version[] = ['v3.0'];

/**
 * Versions of LeRobot sets with a mode that LeRobot 0.3.3 (v2.1) or 0.4.4 (v3.0) refuses to open or reads wrongly. All other
 * modes and all clean variants load. Nightly tests compare this table with the loader.
 */
export const refusedModes: Readonly<Record<string, readonly Version[]>> = {
  action_column_missing: both,
  camera_declared_absent: both,
  chunk_size_wrong: v2,
  column_in_one_episode: v2,
  data_without_footer: both,
  episode_deleted_by_hand: v2,
  episode_file_unlisted: v2,
  fps_wrong: v2,
  index_restarts: v3,
  length_lies: v2,
  rows_of_another_episode: both,
  state_width_changes: both,
  task_index_unknown: both,
  timestamps_gap: both,
  timestamps_host_clock: both,
  timestamps_jitter: both,
  timestamps_repeated: both,
  timestamps_start_late: both,
  total_episodes_too_high: both,
  total_frames_wrong: v3,
  v3_column_undeclared: v3,
  v3_episode_row_missing: v3,
  v3_episode_rows_reversed: v3,
  v3_episode_table_absent: v3,
  v3_episode_table_without_footer: v3,
  v3_row_range_wrong: v3,
  v3_tasks_reversed: v3,
  v3_tasks_without_index: v3,
  v3_video_columns_missing: v3,
  v3_video_lost_in_file: v3,
  v3_window_drift: v3,
  v3_window_not_reset: v3,
  v3_window_of_another_episode: v3,
  v3_window_off_grid: v3,
  video_frames_dropped: both,
  video_lfs_pointer: both,
  video_millisecond_stamps: both,
  video_missing: both,
  video_other_rate: both,
  video_other_size: both,
  video_short_tail: both,
  video_truncated: both,
};
