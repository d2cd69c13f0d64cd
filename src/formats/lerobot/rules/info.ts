import { type ContractRule, refusesRows, refusesSet, trainsWorse, trainsWrong } from '../../shared/rule.ts';
import { sameInBoth, v21, v30 } from './readers.ts';

/** Rules for meta/info.json. */
export const infoRules = [
  {
    id: 'json_refused',
    holds:
      'JSON files in meta/ can be parsed by Python: UTF-8 without a byte order mark, no trailing data, no blank lines.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Rewrite the file as UTF-8 JSON; assay fix does this if the text is readable.',
  },
  {
    id: 'version_missing',
    holds: 'info.json has a codebase_version.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Add codebase_version: LeRobot does not load the dataset without it.',
    peers: ['robovet STRUCT-002', 'robovet STRUCT-003'],
  },
  {
    id: 'version_contradicts_layout',
    holds: 'The file layout matches codebase_version.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Correct codebase_version, or convert the dataset.',
  },
  {
    id: 'features_missing',
    holds: 'info.json declares the features.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Declare every feature: LeRobot cannot load the dataset without them.',
    peers: ['robovet STRUCT-002'],
  },
  {
    id: 'fps_missing',
    holds: 'info.json has an fps.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Set fps to the number of rows per second.',
    peers: ['robovet STRUCT-002'],
  },
  {
    id: 'rate_mismatch',
    holds: 'Timestamps advance at fps.',
    on: 'dataset',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: trainsWrong },
    advice:
      'Correct fps, or rewrite the recordings with correct timestamps: velocities and video seeking depend on it.',
    peers: ['robovet TIME-202', 'robovet VIDEO-404'],
  },
  {
    id: 'path_template_wrong',
    holds: 'Files are stored where data_path, video_path and chunks_size in info.json say.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Correct the path template or chunks_size in meta/info.json, or move the files.',
    peers: ['robovet STRUCT-006', 'doctor Metadata'],
  },
  {
    id: 'total_episodes_too_high',
    holds: 'total_episodes is not higher than the number of listed episodes.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Correct total_episodes: LeRobot tries to download the missing episodes from the Hub.',
    peers: ['robovet STRUCT-007', 'doctor Metadata'],
  },
  {
    id: 'total_episodes_too_low',
    holds: 'total_episodes is not lower than the number of listed episodes.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Correct total_episodes: episodes beyond it are ignored, or overwritten when recording resumes.',
    peers: ['robovet STRUCT-007', 'doctor Metadata'],
  },
  {
    id: 'total_frames_wrong',
    holds: 'total_frames equals the number of rows.',
    on: 'dataset',
    fix: true,
    consequences: { [v21]: trainsWorse, [v30]: refusesRows },
    advice:
      'Correct total_frames: LeRobot v3 uses it as the dataset length, so it skips rows or requests rows past the end.',
    peers: ['robovet DATA-106', 'robovet META-502', 'doctor Metadata'],
  },
  {
    id: 'names_too_few',
    holds: 'A feature has one name per dimension, or no names.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWorse),
    advice: 'Add one name per dimension: programs that look joints up by name otherwise use the wrong one.',
  },
  {
    id: 'language_columns',
    holds: 'No feature has dtype language: LeRobot releases before 0.6 do not support it.',
    on: 'dataset',
    consequences: sameInBoth({ reader: 'refuses_set', severity: 'warning' }),
    advice: 'Load the dataset with LeRobot 0.6 or newer, or export it without annotations.',
  },
] as const satisfies readonly ContractRule[];
