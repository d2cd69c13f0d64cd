import type { FixOptions } from '#fixes';

/** How `assay fix` mends a planted mode. */
export interface FixedMode {
  readonly mode: string;
  /** What has to be asked for. */
  readonly options?: Partial<FixOptions>;
  /** Codes that are still said, because they tell something else that is true. */
  readonly still?: readonly string[];
}

/** Modes that `assay fix` mends. */
export const fixedModes: readonly FixedMode[] = [
  { mode: 'chunk_size_wrong' },
  { mode: 'episode_file_unlisted' },
  { mode: 'episode_task_not_in_table' },
  { mode: 'frame_index_hole' },
  { mode: 'index_restarts' },
  { mode: 'length_lies' },
  { mode: 'rows_of_another_episode' },
  { mode: 'stats_from_before_trim' },
  { mode: 'stats_stale' },
  { mode: 'stats_std_zero' },
  { mode: 'stats_without_action' },
  { mode: 'task_index_unknown' },
  { mode: 'task_text_contradicts' },
  { mode: 'total_episodes_too_high' },
  { mode: 'total_frames_wrong' },
  { mode: 'v3_data_file_stale' },
  { mode: 'v3_episode_rows_reversed' },
  { mode: 'v3_row_range_wrong' },
  { mode: 'v3_stats_not_a_number' },
  { mode: 'v3_stats_of_another_set' },
  { mode: 'v3_stats_quantiles_swapped' },
  { mode: 'v3_tasks_reversed' },
  { mode: 'v3_tasks_without_index' },
];
