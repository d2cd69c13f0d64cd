import type { FixOptions } from '#formats/fix';

/** Expected repair of a planted mode by `assay fix`. */
export interface FixedMode {
  readonly mode: string;
  /** Options that the repair needs. */
  readonly options?: Partial<FixOptions>;
  /** Codes that are still said, because they tell something else that is true. */
  readonly still?: readonly string[];
}

/** Modes that `assay fix` mends. */
export const fixedModes: readonly FixedMode[] = [
  { mode: 'timestamps_jitter', options: { stamps: true } },
  { mode: 'timestamps_start_late', options: { stamps: true } },
  { mode: 'timestamps_host_clock', options: { stamps: true } },
  // The rows that were lost show as a leap of the signals.
  { mode: 'timestamps_gap', options: { stamps: true }, still: ['rows_missing'] },
  { mode: 'timestamps_repeated', options: { stamps: true } },
  { mode: 'fps_wrong' },
  { mode: 'v3_window_drift' },
  { mode: 'v3_window_off_grid' },
  { mode: 'v3_window_not_reset' },
  { mode: 'v3_window_of_another_episode' },
  { mode: 'video_tail_of_discarded_take', options: { video: true } },
  { mode: 'video_other_rate', options: { video: true } },
  { mode: 'video_millisecond_stamps', options: { video: true } },
  { mode: 'picture_shape_turned' },
  { mode: 'camera_declared_absent' },
  { mode: 'data_without_footer' },
  { mode: 'v3_episode_table_without_footer' },
  { mode: 'v3_episode_table_absent' },
  { mode: 'total_episodes_too_high' },
  { mode: 'v3_episode_rows_reversed' },
  { mode: 'v3_episode_row_missing' },
  { mode: 'v3_data_file_stale' },
  { mode: 'v3_row_range_wrong' },
  { mode: 'length_lies' },
  { mode: 'rows_of_another_episode' },
  { mode: 'frame_index_hole' },
  { mode: 'index_restarts' },
  { mode: 'task_index_unknown' },
  { mode: 'episode_task_not_in_table' },
  { mode: 'task_text_contradicts' },
  { mode: 'v3_tasks_reversed' },
  { mode: 'v3_tasks_without_index' },
  { mode: 'column_in_one_episode' },
  { mode: 'v3_column_undeclared' },
  { mode: 'v3_video_columns_missing' },
  { mode: 'episode_file_unlisted' },
  { mode: 'chunk_size_wrong' },
  { mode: 'total_frames_wrong' },
  { mode: 'names_too_few' },
  { mode: 'pictures_left_behind' },
  { mode: 'stats_stale' },
  { mode: 'stats_from_before_trim' },
  { mode: 'v3_stats_of_another_set' },
  { mode: 'v3_stats_quantiles_swapped' },
  { mode: 'stats_std_zero' },
  { mode: 'stats_without_action' },
  { mode: 'v3_stats_not_a_number' },
];
