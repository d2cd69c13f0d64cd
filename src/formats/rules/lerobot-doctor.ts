/** A rule of another tool and the equivalent codes of Assay. */
export interface PeerRule {
  /** Rule id of the tool, or the name of its check if rules have no ids: `TIME-202`, `Temporal Consistency`. */
  readonly rule: string;
  /** Pattern of the message, for tools whose rules have no ids. */
  readonly message?: RegExp;
  /** Problem that the rule finds. */
  readonly finds: string;
  /** Equivalent flags and findings, in addition to contract rules that list the rule as peer. */
  readonly ours: readonly string[];
  /** Reason why a violation alone is no fault, or cannot occur; without it, one of `ours` must be reported. */
  readonly not_a_fault?: string;
}

const unread = 'Reported as an error with the file’s name: nothing of such a set can be read.';
const resting = 'Grippers rest at a limit for most of an episode, and some joints are never used.';
const window = 'The library pads windows at the end of an episode and masks what it padded.';
const nan = ['non_finite_values', 'rows_null', 'values_null'];
const frozen = ['action_frozen', 'state_frozen', 'signal_still', 'episode_idle'];
const noWhole = 'From v2.1 to v3.0 the library pools meta/episodes_stats.jsonl and reads no meta/stats.json.';

/** Rules of `lerobot-doctor check` 0.2.0: every warning and failure message of its source. */
export const doctorRules: readonly PeerRule[] = [
  ...peerRules('Metadata & Format Compliance', [
    [
      /info\.json could not|not loaded|directory not found|No parquet files/,
      'no info.json, no data',
      [],
      unread,
    ],
    [
      /[Cc]odebase version|Could not detect/,
      'codebase_version unknown',
      ['version_missing', 'version_contradicts_layout'],
    ],
    [
      /missing required fields/,
      'required fields missing',
      ['version_missing', 'features_missing', 'fps_missing', 'metadata_count_mismatch'],
    ],
    [/fps must be positive/, 'fps not positive', ['fps_missing']],
    [/Episode metadata not found/, 'no table of episodes', ['episodes_missing']],
    [
      /task metadata/,
      'tasks missing or fewer than total_tasks',
      ['tasks_missing', 'metadata_count_mismatch'],
    ],
    [
      /total_frames=/,
      'total_frames is not the number of rows',
      ['total_frames_wrong', 'metadata_count_mismatch'],
    ],
    [
      /total_episodes=/,
      'total_episodes is not the number of episodes',
      ['total_episodes_too_high', 'total_episodes_too_low', 'metadata_count_mismatch'],
    ],
    [
      /declared in info\.json but not in data/,
      'declared column nowhere in the data',
      ['signal_missing', 'feature_missing'],
    ],
  ]),
  ...peerRules('Temporal Consistency', [
    [/non-monotonic/, 'stamps repeated or backwards', ['timestamps_repeated', 'timestamps_backwards']],
    [
      /dropped frame gap/,
      'a step of one and a half frames or more',
      ['timestamps_gap', 'timestamps_off_grid'],
    ],
    [
      /Mean interval/,
      'mean step a tenth off 1 / fps',
      ['timestamps_off_grid', 'timestamps_gap', 'rate_mismatch'],
    ],
    [/frame_index not sequential/, 'frame_index does not count from 0', ['frame_index_broken']],
    [
      /Missing episode indices/,
      'a hole in the numbers of episodes',
      ['episodes_out_of_order', 'episode_without_rows'],
    ],
    [/Global index/, 'index does not count from 0', ['index_broken']],
    [/Invalid fps/, 'fps not positive', ['fps_missing']],
  ]),
  ...peerRules('Action Quality', [
    [/NaN|Inf values/, 'NaN or Inf in an action', nan],
    [
      /of values at (minimum|maximum)/,
      'half of an action’s values at one limit',
      ['signal_saturated'],
      resting,
    ],
    [/consecutive identical/, 'actions repeat for a twentieth of an episode', frozen],
    [/action jumps/, 'steps of eight standard deviations in all dimensions', ['signal_jump', 'rows_missing']],
  ]),
  ...peerRules('Video Integrity', [
    [
      /[Vv]ideo files missing|video_path/,
      'video missing',
      ['video_missing', 'videos_missing', 'camera_missing'],
    ],
    [/failed to decode/, 'first frame of a video cannot be decoded', ['image_undecodable']],
    [/video fps=/, 'rate of a video more than 1 off fps', ['camera_rate_mismatch', 'rate_mismatch']],
    [/doesn't match shape/, 'size of a video is not the declared one', ['camera_size_mismatch']],
    [
      /frames, expected/,
      'frames of a video three or more off the lengths of its episodes',
      ['camera_frames_missing', 'camera_frames_extra', 'camera_truncated', 'length_mismatch'],
    ],
  ]),
  ...peerRules('Data Distribution', [
    [/NaN|Inf values/, 'NaN or Inf in a column', nan],
    [/zero variance/, 'a dimension that never changes', ['stats_dimension_constant', 'joint_stuck'], resting],
    [
      /extreme outlier/,
      'values ten standard deviations from the mean',
      ['signal_jump', 'unit_drift'],
      'A range that a joint seldom visits is no fault; single spikes are reported.',
    ],
    [/stats\.json not found/, 'no meta/stats.json', ['stats_missing'], noWhole],
    [/could not be parsed/, 'meta/stats.json is no JSON', ['stats_unreadable', 'nonstandard_json']],
    [/not in stats\.json/, 'columns without statistics', ['stats_incomplete', 'camera_stats_missing']],
  ]),
  ...peerRules('Episode Health', [
    [/shorter than chunk_size/, 'episodes shorter than a policy’s chunk', [], window],
    [
      /shorter than \d+ frames|<=1 frame|abnormally short/,
      'an episode of less than a second',
      ['episode_too_short', 'episode_empty'],
    ],
    [/empty episode/, 'an episode without rows', ['episode_without_rows', 'episode_empty']],
    [
      /abnormally long/,
      'an episode three standard deviations longer than the mean',
      ['episode_too_long'],
      'Demonstrations differ in length; only a length that no demonstration has is reported.',
    ],
    [/length variance/, 'lengths that differ much', [], 'Demonstrations differ in length.'],
    [/length mismatch/, 'length is not the number of rows', ['length_mismatch']],
    [
      /task imbalance/,
      'ten times as many episodes of one task as of another',
      [],
      'A choice made when recording, not a fault of an episode.',
    ],
  ]),
  ...peerRules('Feature Consistency', [
    [
      /missing|extra features/,
      'columns that other episodes have or lack',
      ['columns_differ', 'column_undeclared', 'feature_missing'],
    ],
    [
      /shape mismatch|inconsistent shapes/,
      'vectors of another length than in other episodes',
      ['vector_length_wrong', 'columns_differ'],
    ],
    [
      /dtype mismatch/,
      'a column of another type than in other episodes',
      ['columns_differ', 'vector_length_wrong'],
    ],
  ]),
  ...peerRules('Training Readiness', [
    [
      /No action features/,
      'no action',
      ['signal_missing'],
      'A set without actions is fit for other uses; those that need them say so.',
    ],
    [
      /\): no (state|image)/,
      'no state or no camera, which some policies need',
      [],
      'A choice made when recording; the recommended policies depend on it.',
    ],
    [/No stats\.json/, 'no meta/stats.json', ['stats_missing'], noWhole],
    [/exists but is invalid/, 'meta/stats.json is no JSON', ['stats_unreadable', 'nonstandard_json']],
    [/no action statistics|missing \[/, 'no statistics of actions', ['stats_incomplete']],
    [/zero std/, 'std of an action is 0', ['stats_std_zero', 'stats_dimension_constant']],
    [/unusually large/, 'more than 20 dimensions', [], 'Humanoids have more.'],
    [/too short for delta_timestamps/, 'an episode shorter than a window', ['episode_too_short'], window],
  ]),
  ...peerRules('Anomaly Detection', [
    [
      /stuck\/static/,
      'a dimension that rests for 80 % of nearly every episode',
      ['joint_stuck', 'signal_still'],
      resting,
    ],
    [/near-duplicate/, 'equal first and last actions and length', ['duplicate_episode']],
    [
      /distribution shift/,
      'the last quarter lies three standard deviations from the first',
      ['unit_drift', 'joint_offset'],
      'Tasks change within a set; offsets and units between like episodes are reported.',
    ],
    [/constant/, 'a dimension that never changes', ['stats_dimension_constant', 'joint_stuck'], resting],
  ]),
  ...peerRules('Portability', [
    [/absolute path|not a template/, 'path templates that fit one machine', ['path_template_wrong']],
    [/unreadable file/, 'files without permission', ['not_permitted']],
    [
      /symlink|very large|large dataset|over 5GB|Non-parquet/,
      'links, sizes, other files',
      [],
      'Neither a reader nor a training notices.',
    ],
  ]),
  ...peerRules('Per-Episode Summary', [
    [/too short|single frame/, 'an episode of less than a second', ['episode_too_short']],
    [/non-monotonic/, 'stamps repeated or backwards', ['timestamps_repeated', 'timestamps_backwards']],
    [/dropped frame/, 'a step of two and a half frames or more', ['timestamps_gap', 'timestamps_off_grid']],
    [/NaN|Inf in/, 'NaN or Inf in an action', nan],
    [/frozen/, 'actions repeat for a twentieth of the episode', frozen],
    [/action jump/, 'steps of eight standard deviations in all dimensions', ['signal_jump', 'rows_missing']],
  ]),
];

type Row = readonly [message: RegExp, finds: string, ours: readonly string[], not_a_fault?: string];

function peerRules(rule: string, rows: readonly Row[]): PeerRule[] {
  return rows.map(([message, finds, ours, not_a_fault]) => ({
    rule,
    message,
    finds,
    ours,
    ...(not_a_fault === undefined ? {} : { not_a_fault }),
  }));
}
