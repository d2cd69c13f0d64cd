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

const unread = 'Reported as an error with the file name: such a dataset cannot be read at all.';
const resting = 'Grippers stay at a limit for most of an episode, and some joints are never used.';
const window = 'LeRobot pads windows at the end of an episode and masks the padding.';
const nan = ['non_finite_values', 'rows_null', 'values_null'];
const frozen = ['action_frozen', 'state_frozen', 'signal_still', 'episode_idle'];
const noWhole =
  'LeRobot v2.1 computes dataset statistics from meta/episodes_stats.jsonl and does not read meta/stats.json.';

/** Rules of `lerobot-doctor check` 0.2.0: every warning and failure message of its source. */
export const doctorRules: readonly PeerRule[] = [
  ...peerRules('Metadata & Format Compliance', [
    [
      /info\.json could not|not loaded|directory not found|No parquet files/,
      'info.json or data missing',
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
    [/Episode metadata not found/, 'episode table missing', ['episodes_missing']],
    [
      /task metadata/,
      'tasks missing, or fewer than total_tasks',
      ['tasks_missing', 'metadata_count_mismatch'],
    ],
    [
      /total_frames=/,
      'total_frames differs from the number of rows',
      ['total_frames_wrong', 'metadata_count_mismatch'],
    ],
    [
      /total_episodes=/,
      'total_episodes differs from the number of episodes',
      ['total_episodes_too_high', 'total_episodes_too_low', 'metadata_count_mismatch'],
    ],
    [
      /declared in info\.json but not in data/,
      'declared column missing from the data',
      ['signal_missing', 'feature_missing'],
    ],
  ]),
  ...peerRules('Temporal Consistency', [
    [/non-monotonic/, 'timestamps repeat or go backwards', ['timestamps_repeated', 'timestamps_backwards']],
    [
      /dropped frame gap/,
      'timestamp interval of 1.5 frames or more',
      ['timestamps_gap', 'timestamps_off_grid'],
    ],
    [
      /Mean interval/,
      'mean timestamp interval differs from 1 / fps by 10 %',
      ['timestamps_off_grid', 'timestamps_gap', 'rate_mismatch'],
    ],
    [
      /frame_index not sequential/,
      'frame_index does not start at 0 and increase by 1',
      ['frame_index_broken'],
    ],
    [
      /Missing episode indices/,
      'gap in the episode indices',
      ['episodes_out_of_order', 'episode_without_rows'],
    ],
    [/Global index/, 'index does not start at 0 and increase by 1', ['index_broken']],
    [/Invalid fps/, 'fps not positive', ['fps_missing']],
  ]),
  ...peerRules('Action Quality', [
    [/NaN|Inf values/, 'NaN or Inf in an action', nan],
    [
      /of values at (minimum|maximum)/,
      'half of the values of an action at one limit',
      ['signal_saturated'],
      resting,
    ],
    [/consecutive identical/, 'identical actions for 5 % of an episode', frozen],
    [/action jumps/, 'jumps of eight standard deviations in all dimensions', ['signal_jump', 'rows_missing']],
  ]),
  ...peerRules('Video Integrity', [
    [
      /[Vv]ideo files missing|video_path/,
      'video missing',
      ['video_missing', 'videos_missing', 'camera_missing'],
    ],
    [/failed to decode/, 'first frame of a video cannot be decoded', ['image_undecodable']],
    [
      /video fps=/,
      'frame rate of a video differs from fps by more than 1',
      ['camera_rate_mismatch', 'rate_mismatch'],
    ],
    [/doesn't match shape/, 'video size differs from the declared size', ['camera_size_mismatch']],
    [
      /frames, expected/,
      'frame count of a video differs from the lengths of its episodes by three or more',
      ['camera_frames_missing', 'camera_frames_extra', 'camera_truncated', 'length_mismatch'],
    ],
  ]),
  ...peerRules('Data Distribution', [
    [/NaN|Inf values/, 'NaN or Inf in a column', nan],
    [/zero variance/, 'a dimension is constant', ['stats_dimension_constant', 'joint_stuck'], resting],
    [
      /extreme outlier/,
      'values ten standard deviations from the mean',
      ['signal_jump', 'unit_drift'],
      'A range that a joint rarely visits is not a fault; single spikes are reported.',
    ],
    [/stats\.json not found/, 'meta/stats.json missing', ['stats_missing'], noWhole],
    [/could not be parsed/, 'meta/stats.json is not valid JSON', ['stats_unreadable', 'nonstandard_json']],
    [/not in stats\.json/, 'columns without statistics', ['stats_incomplete', 'camera_stats_missing']],
  ]),
  ...peerRules('Episode Health', [
    [/shorter than chunk_size/, 'episodes shorter than the action chunk of a policy', [], window],
    [
      /shorter than \d+ frames|<=1 frame|abnormally short/,
      'episode shorter than a second',
      ['episode_too_short', 'episode_empty'],
    ],
    [/empty episode/, 'episode without rows', ['episode_without_rows', 'episode_empty']],
    [
      /abnormally long/,
      'episode longer than the mean by three standard deviations',
      ['episode_too_long'],
      'Demonstrations vary in length; only implausible lengths are reported.',
    ],
    [/length variance/, 'episode lengths vary widely', [], 'Demonstrations vary in length.'],
    [/length mismatch/, 'length differs from the number of rows', ['length_mismatch']],
    [
      /task imbalance/,
      'one task has ten times as many episodes as another',
      [],
      'A choice made when recording, not a defect of an episode.',
    ],
  ]),
  ...peerRules('Feature Consistency', [
    [
      /missing|extra features/,
      'columns differ from other episodes',
      ['columns_differ', 'column_undeclared', 'feature_missing'],
    ],
    [
      /shape mismatch|inconsistent shapes/,
      'vector length differs from other episodes',
      ['vector_length_wrong', 'columns_differ'],
    ],
    [/dtype mismatch/, 'column type differs from other episodes', ['columns_differ', 'vector_length_wrong']],
  ]),
  ...peerRules('Training Readiness', [
    [
      /No action features/,
      'action missing',
      ['signal_missing'],
      'A dataset without actions is suitable for other uses; uses that need actions report it.',
    ],
    [
      /\): no (state|image)/,
      'state or camera missing, which some policies need',
      [],
      'A choice made when recording, not a fault; the recommended policy class takes it into account.',
    ],
    [/No stats\.json/, 'meta/stats.json missing', ['stats_missing'], noWhole],
    [/exists but is invalid/, 'meta/stats.json is not valid JSON', ['stats_unreadable', 'nonstandard_json']],
    [/no action statistics|missing \[/, 'statistics of actions missing', ['stats_incomplete']],
    [/zero std/, 'std of an action is 0', ['stats_std_zero', 'stats_dimension_constant']],
    [/unusually large/, 'more than 20 dimensions', [], 'Humanoids have more.'],
    [/too short for delta_timestamps/, 'episode shorter than a window', ['episode_too_short'], window],
  ]),
  ...peerRules('Anomaly Detection', [
    [
      /stuck\/static/,
      'a dimension does not move for 80 % of nearly every episode',
      ['joint_stuck', 'signal_still'],
      resting,
    ],
    [/near-duplicate/, 'same length, first action and last action as another episode', ['duplicate_episode']],
    [
      /distribution shift/,
      'the last quarter differs from the first by three standard deviations',
      ['unit_drift', 'joint_offset'],
      'Tasks change within a dataset; offsets and unit differences between similar episodes are reported.',
    ],
    [/constant/, 'a dimension is constant', ['stats_dimension_constant', 'joint_stuck'], resting],
  ]),
  ...peerRules('Portability', [
    [/absolute path|not a template/, 'path templates that work on only one machine', ['path_template_wrong']],
    [/unreadable file/, 'files without read permission', ['not_permitted']],
    [
      /symlink|very large|large dataset|over 5GB|Non-parquet/,
      'symbolic links, file sizes, other files',
      [],
      'Neither loading nor training is affected.',
    ],
  ]),
  ...peerRules('Per-Episode Summary', [
    [/too short|single frame/, 'episode shorter than a second', ['episode_too_short']],
    [/non-monotonic/, 'timestamps repeat or go backwards', ['timestamps_repeated', 'timestamps_backwards']],
    [/dropped frame/, 'timestamp interval of 2.5 frames or more', ['timestamps_gap', 'timestamps_off_grid']],
    [/NaN|Inf in/, 'NaN or Inf in an action', nan],
    [/frozen/, 'identical actions for 5 % of the episode', frozen],
    [/action jump/, 'jumps of eight standard deviations in all dimensions', ['signal_jump', 'rows_missing']],
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
