import { lerobotContract } from '../lerobot/rules/contract.ts';
import { doctorRules, type PeerRule } from './lerobot-doctor.ts';

const unread = 'Reported as an error with the file’s name: nothing of such a set can be read.';

/** Rules of `robovet doctor` and `robovet score`, robovet 0.2.2: every rule of its source. */
const robovetRules: readonly PeerRule[] = [
  { rule: 'STRUCT-001', finds: 'meta/info.json missing or no JSON', ours: [], not_a_fault: unread },
  { rule: 'STRUCT-002', finds: 'required keys missing from info.json', ours: ['metadata_count_mismatch'] },
  { rule: 'STRUCT-002b', finds: 'fps missing or not positive', ours: ['fps_missing'] },
  { rule: 'STRUCT-003', finds: 'codebase_version unknown', ours: ['version_missing'] },
  { rule: 'STRUCT-004', finds: 'no table of episodes', ours: ['episodes_missing'] },
  { rule: 'STRUCT-005', finds: 'no table of tasks', ours: ['tasks_missing', 'instruction_missing'] },
  { rule: 'STRUCT-006', finds: 'data file of a listed episode missing', ours: ['path_template_wrong'] },
  {
    rule: 'STRUCT-007',
    finds: 'total_episodes is not the number of episodes',
    ours: ['episodes_out_of_order'],
  },
  {
    rule: 'STRUCT-008',
    finds: 'data files that no episode lists',
    ours: ['episode_unlisted', 'file_unreferenced'],
  },
  {
    rule: 'META-501',
    finds: 'numbers and row ranges of the table of episodes contradict each other',
    ours: ['episodes_out_of_order'],
  },
  {
    rule: 'META-502',
    finds: 'lengths do not add up to total_frames',
    ours: ['metadata_count_mismatch', 'length_mismatch'],
  },
  {
    rule: 'META-503',
    finds: 'statistics count other rows than the episode’s length',
    ours: ['length_mismatch'],
  },
  {
    rule: 'META-504',
    finds: 'a video window is not as long as the episode',
    ours: ['camera_frames_missing', 'camera_frames_extra'],
  },
  { rule: 'DATA-101', finds: 'data file unreadable', ours: ['data_file_unreadable'] },
  { rule: 'DATA-102', finds: 'declared column nowhere in the data', ours: ['feature_missing'] },
  { rule: 'DATA-103', finds: 'vectors of another length than declared', ours: ['vector_length_wrong'] },
  { rule: 'DATA-104', finds: 'length is not the number of rows', ours: ['length_mismatch'] },
  {
    rule: 'DATA-105a',
    finds: 'rows carry another episode’s number',
    ours: ['rows_scattered', 'episode_elsewhere'],
  },
  { rule: 'DATA-105b', finds: 'frame_index does not count from 0', ours: ['frame_index_broken'] },
  { rule: 'DATA-105c', finds: 'index jumps between episodes', ours: [] },
  { rule: 'DATA-106', finds: 'total_frames is not the number of rows', ours: ['metadata_count_mismatch'] },
  { rule: 'DATA-107', finds: 'NaN or Inf in the data', ours: ['non_finite_values'] },
  {
    rule: 'DATA-108',
    finds: 'a dimension that never changes in the whole set',
    ours: [],
    not_a_fault: 'A joint that is never used does no harm; where statistics show it, it is an info.',
  },
  { rule: 'DATA-109', finds: 'task_index not in the table of tasks', ours: ['task_index_unknown'] },
  { rule: 'TIME-201', finds: 'stamps go backwards, or there are none', ours: ['timestamps_not_monotonic'] },
  {
    rule: 'TIME-202',
    finds: 'steps off 1 / fps by more than 0.1 ms',
    ours: ['timestamps_gap', 'timestamps_repeated', 'timestamps_backwards'],
  },
  { rule: 'TIME-203', finds: 'first stamp half a frame or more from 0', ours: ['timestamps_host_clock'] },
  { rule: 'TIME-204', finds: 'last stamp half a frame or more off the grid', ours: ['timestamps_off_grid'] },
  { rule: 'TIME-205', finds: 'boundary of a video window off the frame grid', ours: ['video_span_mismatch'] },
  { rule: 'STATS-301', finds: 'no statistics', ours: ['stats_missing'] },
  {
    rule: 'STATS-302',
    finds:
      'statistics of an episode are not those of its rows (min and max by 1 %, mean by 2 %, std by 10 %)',
    ours: [],
  },
  {
    rule: 'STATS-303',
    finds: 'min and max of meta/stats.json are not those of the rows (by 1 %)',
    ours: ['unused_stats_wrong'],
  },
  { rule: 'STATS-304', finds: 'quantiles out of order or outside min and max', ours: [] },
  {
    rule: 'VIDEO-400',
    finds: 'PyAV is not installed',
    ours: [],
    not_a_fault: 'It concerns the tool, not the set.',
  },
  {
    rule: 'VIDEO-401',
    finds: 'video file missing',
    ours: ['video_missing', 'videos_missing', 'camera_missing'],
  },
  { rule: 'VIDEO-401b', finds: 'video cannot be opened', ours: ['image_undecodable'] },
  {
    rule: 'VIDEO-402',
    finds: 'a video has two or more frames more or less than the episode has rows',
    ours: ['camera_frames_missing', 'camera_frames_extra', 'camera_truncated'],
  },
  { rule: 'VIDEO-403', finds: 'codec that browsers do not show', ours: [] },
  {
    rule: 'VIDEO-404',
    finds: 'rate of a video half a frame a second or more off fps',
    ours: ['camera_rate_mismatch', 'rate_mismatch'],
  },
  {
    rule: 'VIDEO-405',
    finds: 'a window of a shared video has two or more frames more or less than rows',
    ours: ['camera_frames_missing', 'camera_frames_extra', 'camera_truncated'],
  },
  {
    rule: 'rough_motion',
    finds: 'jerk far above the other episodes',
    ours: ['signal_chatter', 'signal_jump', 'rows_missing'],
  },
  {
    rule: 'mostly_idle',
    finds: 'more than 35 % of the steps without motion',
    ours: ['action_frozen', 'state_frozen', 'signal_still', 'episode_idle'],
  },
  {
    rule: 'gripper_chatter',
    finds: 'gripper changes more than twice a second',
    ours: ['gripper_chatter', 'signal_chatter'],
  },
  {
    rule: 'duration_outlier',
    finds: 'length far from the other episodes’',
    ours: ['episode_too_short', 'episode_too_long'],
    not_a_fault: 'Demonstrations differ in length; only a length that no demonstration has is reported.',
  },
  {
    rule: 'action_saturated',
    finds: 'a quarter of the actions at the limits of the set',
    ours: ['signal_saturated'],
    not_a_fault: 'An open gripper is at its limit; joints that are pinned there are reported.',
  },
  {
    rule: 'duplicate_of_ep',
    finds: 'actions equal another episode’s',
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
