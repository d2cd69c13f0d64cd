import {
  type Consequence,
  type ContractRule,
  refusesRows,
  refusesSet,
  servesWrongRows,
  showsWrong,
  trainsWorse,
  trainsWrong,
} from '../../shared/rule.ts';
import { gr00t, gr00tN15, v21, v30 } from './readers.ts';

const consequencesOf = (n17: Consequence, n15: Consequence) => ({ [gr00t]: n17, [gr00tN15]: n15 });

/** Rules for what GR00T's loaders need and LeRobot's do not, and for the choice of a loader. */
export const gr00tRules = [
  {
    id: 'version_unsupported',
    holds: 'The loader reads datasets of this version.',
    on: 'dataset',
    consequences: { [v21]: refusesSet, [v30]: refusesSet, [gr00t]: refusesSet, [gr00tN15]: refusesSet },
    advice: 'Convert the dataset to a version that the loader reads, or choose another loader.',
  },
  {
    id: 'modality_missing',
    holds: 'The dataset has meta/modality.json.',
    on: 'dataset',
    consequences: consequencesOf(refusesSet, refusesSet),
    advice:
      'Add meta/modality.json: it names the parts of state and action, the cameras and the annotations.',
  },
  {
    id: 'modality_malformed',
    holds:
      'meta/modality.json is a JSON object with state, action and video; parts of state and action have whole numbers as start and end.',
    on: 'dataset',
    consequences: consequencesOf(refusesSet, refusesSet),
    advice:
      'Correct meta/modality.json: {"state": {"arm": {"start": 0, "end": 7}}, "action": {…}, "video": {…}}.',
  },
  {
    id: 'modality_rotation_unknown',
    holds: 'rotation_type in meta/modality.json is one of the types that GR00T N1.5 knows.',
    on: 'dataset',
    consequences: consequencesOf(showsWrong, refusesSet),
    advice:
      'Use axis_angle, quaternion, rotation_6d, matrix or euler_angles_rpy, or leave rotation_type out.',
  },
  {
    id: 'modality_slice_wrong',
    holds: 'Every part of state and action in meta/modality.json lies within its vector.',
    on: 'dataset',
    // N1.7 cuts the slice off at the end of the vector, without an error.
    consequences: consequencesOf(servesWrongRows, refusesSet),
    advice: 'Correct start and end: start counts from 0, and end is not included.',
  },
  {
    id: 'modality_column_unknown',
    holds: 'Every part of state and action in meta/modality.json is cut from an existing column.',
    on: 'dataset',
    consequences: consequencesOf(refusesSet, refusesSet),
    advice: 'Set original_key to the column of the part, or remove the part.',
  },
  {
    id: 'modality_camera_unknown',
    holds: 'Every camera in meta/modality.json is a declared feature.',
    on: 'dataset',
    consequences: consequencesOf(refusesRows, refusesSet),
    advice: 'Set original_key to a feature in meta/info.json, or remove the camera from meta/modality.json.',
  },
  {
    id: 'modality_camera_unnamed',
    holds: 'Every camera in meta/modality.json has an original_key if its name is not that of its feature.',
    on: 'dataset',
    // N1.7 puts observation.images. before the name, N1.5 uses it as it is.
    consequences: consequencesOf(showsWrong, refusesSet),
    advice: 'Set original_key to the feature of the camera.',
  },
  {
    id: 'modality_camera_full_name',
    holds: 'Every camera in meta/modality.json whose name is that of its feature has an original_key.',
    on: 'dataset',
    consequences: consequencesOf(refusesRows, showsWrong),
    advice:
      'Set original_key to the feature of the camera: GR00T N1.7 puts observation.images. before its name.',
  },
  {
    id: 'modality_camera_undescribed',
    holds: 'Cameras that meta/modality.json names have video.fps and channels in meta/info.json.',
    on: 'dataset',
    consequences: consequencesOf(showsWrong, refusesSet),
    advice:
      'Add video_info with video.fps and the axis name channel, or info with video.fps and video.channels, to the feature.',
  },
  {
    id: 'modality_camera_without_files',
    holds: 'Every camera in meta/modality.json has videos.',
    on: 'dataset',
    consequences: consequencesOf(refusesRows, refusesRows),
    advice: 'Add the videos, or remove the camera from meta/modality.json.',
  },
  {
    id: 'modality_annotation_unknown',
    holds: 'Every annotation in meta/modality.json has a column in the data.',
    on: 'dataset',
    // Training uses one annotation; the others are not read.
    consequences: consequencesOf(trainsWorse, trainsWorse),
    advice:
      'Set original_key to the column with the task index, such as task_index, or remove the annotation.',
  },
  {
    id: 'modality_stats_missing',
    holds:
      'meta/stats.json has mean, std, min, max, q01 and q99 of every column that meta/modality.json divides.',
    on: 'dataset',
    // Both compute them from the data and write the file when training starts.
    consequences: consequencesOf(trainsWorse, trainsWorse),
    advice:
      'Keep the dataset folder writable, or run gr00t/data/stats.py: without statistics, evaluation of GR00T N1.7 stops.',
  },
] as const satisfies readonly ContractRule[];

/** Consequences for GR00T N1.7 and N1.5. */
type Both = readonly [n17: Consequence, n15: Consequence];
const same = (consequence: Consequence): Both => [consequence, consequence];

/**
 * Consequences of LeRobot's rules for GR00T's loaders. A rule that is not listed does not exist for them: it concerns
 * the tables of v3.0, video time ranges, the pairing tolerance, or images in data files, none of which they read.
 */
export const gr00tConsequences = {
  // Frames are selected by index (N1.7), or nearest in time (N1.5).
  timestamps_off_grid: [showsWrong, trainsWorse],
  timestamps_start_late: [showsWrong, servesWrongRows],
  timestamps_host_clock: [showsWrong, servesWrongRows],
  timestamps_gap: [trainsWorse, servesWrongRows],
  timestamps_repeated: [trainsWorse, servesWrongRows],
  timestamps_backwards: [trainsWrong, servesWrongRows],
  rate_mismatch: [showsWrong, trainsWrong],

  // Videos are opened when a row needs them.
  videos_missing: same(refusesRows),
  video_missing: same(refusesRows),
  camera_missing: same(refusesRows),
  camera_without_files: same(showsWrong),
  lfs_pointers: same(refusesRows),
  camera_frames_missing: [refusesRows, servesWrongRows],
  camera_frames_extra: same(trainsWorse),
  camera_rate_mismatch: same(trainsWorse),
  image_undecodable: same(refusesRows),
  camera_size_mismatch: [trainsWorse, refusesRows],
  picture_size_wrong: [showsWrong, refusesRows],
  picture_shape_turned: [showsWrong, refusesRows],
  camera_shape_wrong: [showsWrong, refusesSet],
  camera_names_wrong: [showsWrong, refusesSet],
  video_codec_unshown: same(showsWrong),

  // meta/info.json: paths, chunks_size and features are read, versions and totals are not.
  json_refused: same(refusesSet),
  version_missing: same(showsWrong),
  version_contradicts_layout: same(refusesSet),
  features_missing: same(refusesSet),
  fps_missing: same(showsWrong),
  path_template_wrong: same(refusesRows),
  total_episodes_too_high: same(showsWrong),
  total_episodes_too_low: same(showsWrong),
  total_frames_wrong: same(showsWrong),
  names_too_few: same(showsWrong),
  language_columns: same(showsWrong),

  // Episodes are listed by episodes.jsonl and read file by file; length counts their rows.
  episodes_missing: same(refusesSet),
  episode_unlisted: same(trainsWorse),
  episode_without_rows: same(refusesRows),
  length_mismatch: same(refusesRows),
  data_file_missing: same(refusesRows),
  data_file_unreadable: same(refusesRows),
  rows_of_another_episode: same(trainsWorse),
  frame_index_broken: same(trainsWorse),
  index_broken: same(showsWrong),
  signal_missing: same(refusesRows),
  feature_missing: same(showsWrong),
  column_undeclared: same(showsWrong),
  columns_differ: same(refusesRows),
  vector_length_wrong: [servesWrongRows, refusesRows],
  rows_null: same(refusesRows),
  values_null: same(trainsWrong),
  pictures_left_behind: same(showsWrong),

  // Annotations are looked up in tasks.jsonl.
  tasks_missing: same(refusesSet),
  tasks_unreadable: same(refusesSet),
  task_index_unknown: same(refusesRows),
  task_text_unlisted: same(showsWrong),
  task_text_contradicts: same(trainsWorse),

  // meta/stats.json normalises state and action; statistics of episodes and cameras are not read.
  set_stats_wrong: same(trainsWrong),
  unused_stats_wrong: same(trainsWrong),
  stats_not_a_number: same(trainsWrong),
  stats_std_zero: same(trainsWorse),
  stats_quantiles_wrong: same(trainsWrong),
  stats_missing: same(showsWrong),
  stats_incomplete: same(showsWrong),
  stats_dimension_constant: same(showsWrong),
  stats_quantiles_equal: same(showsWrong),
  stats_quantiles_absent: same(showsWrong),
  camera_stats_missing: same(showsWrong),
  camera_stats_none: same(showsWrong),
  picture_stats_scale: same(showsWrong),
  picture_stats_wrong: same(showsWrong),
  episode_stats_stale: same(showsWrong),
  episode_stats_malformed: same(showsWrong),
  episode_stats_missing: same(showsWrong),
} as const satisfies Readonly<Record<string, Both>>;

const byRule: Readonly<Record<string, Both>> = gr00tConsequences;

/** Returns the rule of LeRobot with its consequences for GR00T added; unchanged if it has none. */
export function withGr00t<Rule extends ContractRule>(rule: Rule): Rule {
  const both = byRule[rule.id];
  if (both === undefined) return rule;
  return { ...rule, consequences: { ...rule.consequences, ...consequencesOf(...both) } };
}
