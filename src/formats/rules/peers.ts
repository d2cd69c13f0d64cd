import { lerobotContract } from '../lerobot/rules/contract.ts';
import { doctorRules, type PeerRule } from './lerobot-doctor.ts';

const unread = 'Reported as an error with the file name: such a dataset cannot be read at all.';

/** Rules of `robovet doctor` and `robovet score`, robovet 0.2.2: every rule of its source. */
const robovetRules: readonly PeerRule[] = [
  { rule: 'STRUCT-001', finds: 'meta/info.json missing or not valid JSON', ours: [], not_a_fault: unread },
  { rule: 'STRUCT-002', finds: 'required keys missing from info.json', ours: ['metadata_count_mismatch'] },
  { rule: 'STRUCT-002b', finds: 'fps missing or not positive', ours: ['fps_missing'] },
  { rule: 'STRUCT-003', finds: 'codebase_version unknown', ours: ['version_missing'] },
  { rule: 'STRUCT-004', finds: 'episode table missing', ours: ['episodes_missing'] },
  { rule: 'STRUCT-005', finds: 'task table missing', ours: ['tasks_missing', 'instruction_missing'] },
  { rule: 'STRUCT-006', finds: 'data file of a listed episode missing', ours: ['path_template_wrong'] },
  {
    rule: 'STRUCT-007',
    finds: 'total_episodes differs from the number of episodes',
    ours: ['episodes_out_of_order'],
  },
  {
    rule: 'STRUCT-008',
    finds: 'data files that no episode references',
    ours: ['episode_unlisted', 'file_unreferenced'],
  },
  {
    rule: 'META-501',
    finds: 'episode indices and row ranges in the episode table are inconsistent',
    ours: ['episodes_out_of_order'],
  },
  {
    rule: 'META-502',
    finds: 'lengths do not add up to total_frames',
    ours: ['metadata_count_mismatch', 'length_mismatch'],
  },
  {
    rule: 'META-503',
    finds: 'count in the statistics differs from the length of the episode',
    ours: ['length_mismatch'],
  },
  {
    rule: 'META-504',
    finds: 'video time range is not as long as the episode',
    ours: ['camera_frames_missing', 'camera_frames_extra'],
  },
  { rule: 'DATA-101', finds: 'data file unreadable', ours: ['data_file_unreadable'] },
  { rule: 'DATA-102', finds: 'declared column missing from the data', ours: ['feature_missing'] },
  { rule: 'DATA-103', finds: 'vector length differs from the declared shape', ours: ['vector_length_wrong'] },
  { rule: 'DATA-104', finds: 'length differs from the number of rows', ours: ['length_mismatch'] },
  {
    rule: 'DATA-105a',
    finds: 'rows have the index of another episode',
    ours: ['rows_scattered', 'episode_elsewhere'],
  },
  {
    rule: 'DATA-105b',
    finds: 'frame_index does not start at 0 and increase by 1',
    ours: ['frame_index_broken'],
  },
  { rule: 'DATA-105c', finds: 'index jumps between episodes', ours: [] },
  {
    rule: 'DATA-106',
    finds: 'total_frames differs from the number of rows',
    ours: ['metadata_count_mismatch'],
  },
  { rule: 'DATA-107', finds: 'NaN or Inf in the data', ours: ['non_finite_values'] },
  {
    rule: 'DATA-108',
    finds: 'a dimension is constant in the whole dataset',
    ours: [],
    not_a_fault: 'An unused joint does no harm; if the statistics show it, it is reported as info.',
  },
  { rule: 'DATA-109', finds: 'task_index not in the task table', ours: ['task_index_unknown'] },
  { rule: 'TIME-201', finds: 'timestamps go backwards or are missing', ours: ['timestamps_not_monotonic'] },
  {
    rule: 'TIME-202',
    finds: 'timestamp intervals differ from 1 / fps by more than 0.1 ms',
    ours: ['timestamps_gap', 'timestamps_repeated', 'timestamps_backwards'],
  },
  {
    rule: 'TIME-203',
    finds: 'first timestamp is half a frame or more from 0',
    ours: ['timestamps_host_clock'],
  },
  {
    rule: 'TIME-204',
    finds: 'last timestamp is half a frame or more off the frame grid',
    ours: ['timestamps_off_grid'],
  },
  {
    rule: 'TIME-205',
    finds: 'start or end of a video time range is off the frame grid',
    ours: ['video_span_mismatch'],
  },
  { rule: 'STATS-301', finds: 'statistics missing', ours: ['stats_missing'] },
  {
    rule: 'STATS-302',
    finds: 'statistics of an episode do not match its rows (tolerance: min and max 1 %, mean 2 %, std 10 %)',
    ours: [],
  },
  {
    rule: 'STATS-303',
    finds: 'min and max in meta/stats.json do not match the rows (tolerance 1 %)',
    ours: ['unused_stats_wrong'],
  },
  { rule: 'STATS-304', finds: 'quantiles out of order, or outside min and max', ours: [] },
  {
    rule: 'VIDEO-400',
    finds: 'PyAV is not installed',
    ours: [],
    not_a_fault: 'This concerns the tool, not the dataset.',
  },
  {
    rule: 'VIDEO-401',
    finds: 'video file missing',
    ours: ['video_missing', 'videos_missing', 'camera_missing'],
  },
  { rule: 'VIDEO-401b', finds: 'video cannot be opened', ours: ['image_undecodable'] },
  {
    rule: 'VIDEO-402',
    finds: 'frame count of a video differs from the row count of the episode by two or more',
    ours: ['camera_frames_missing', 'camera_frames_extra', 'camera_truncated'],
  },
  { rule: 'VIDEO-403', finds: 'video codec not supported by browsers', ours: [] },
  {
    rule: 'VIDEO-404',
    finds: 'frame rate of a video differs from fps by 0.5 or more',
    ours: ['camera_rate_mismatch', 'rate_mismatch'],
  },
  {
    rule: 'VIDEO-405',
    finds: 'time range in a shared video differs from the row count by two or more frames',
    ours: ['camera_frames_missing', 'camera_frames_extra', 'camera_truncated'],
  },
  {
    rule: 'rough_motion',
    finds: 'jerk much higher than in other episodes',
    ours: ['signal_chatter', 'signal_jump', 'rows_missing'],
  },
  {
    rule: 'mostly_idle',
    finds: 'no motion in more than 35 % of the steps',
    ours: ['action_frozen', 'state_frozen', 'signal_still', 'episode_idle'],
  },
  {
    rule: 'gripper_chatter',
    finds: 'gripper changes more than twice per second',
    ours: ['gripper_chatter', 'signal_chatter'],
  },
  {
    rule: 'duration_outlier',
    finds: 'length very different from other episodes',
    ours: ['episode_too_short', 'episode_too_long'],
    not_a_fault: 'Demonstrations vary in length; only implausible lengths are reported.',
  },
  {
    rule: 'action_saturated',
    finds: 'a quarter of the actions at the limits of the dataset',
    ours: ['signal_saturated'],
    not_a_fault: 'An open gripper is at its limit; joints stuck at a limit are reported.',
  },
  {
    rule: 'duplicate_of_ep',
    finds: 'actions identical to another episode',
    ours: ['duplicate_episode'],
  },
];

/** Another tool that checks LeRobot sets. */
export interface Peer {
  readonly tool: string;
  readonly release: string;
  readonly rules: readonly PeerRule[];
}

/** Adds the contract rules that list a peer's rule to its `ours`. */
function mergeContractRules(tool: string, rows: readonly PeerRule[]): PeerRule[] {
  return rows.map((row) => {
    const named = lerobotContract.rules.filter((rule) => rule.peers?.includes(`${tool} ${row.rule}`));
    return { ...row, ours: [...new Set([...named.map(({ id }) => id), ...row.ours])] };
  });
}

/** Tools that Assay is compared with, with every rule of the named release. */
export const peers: readonly Peer[] = [
  { tool: 'robovet', release: '0.2.2', rules: mergeContractRules('robovet', robovetRules) },
  { tool: 'lerobot-doctor', release: '0.2.0', rules: doctorRules },
];
