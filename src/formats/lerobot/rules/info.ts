import { type ContractRule, refusesRows, refusesSet, trainsWorse, trainsWrong } from '../../shared/rule.ts';
import { sameInBoth, v21, v30 } from './readers.ts';

/** Rules for meta/info.json. */
export const infoRules = [
  {
    id: 'json_refused',
    holds:
      'JSON files of meta/ are JSON as Python reads it: UTF-8 without a byte order mark, nothing behind the end, no blank line.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Write the file again as UTF-8 JSON; assay fix does where its text can be read.',
  },
  {
    id: 'version_missing',
    holds: 'info.json names codebase_version.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Write codebase_version: the library refuses the set without it.',
    peers: ['robovet STRUCT-002', 'robovet STRUCT-003'],
  },
  {
    id: 'version_contradicts_layout',
    holds: 'The files are laid out as codebase_version says.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Correct codebase_version, or convert the set.',
  },
  {
    id: 'features_missing',
    holds: 'info.json declares the features.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Declare every feature: the library cannot open the set without them.',
    peers: ['robovet STRUCT-002'],
  },
  {
    id: 'fps_missing',
    holds: 'info.json gives the rate of the rows.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Write the rate of the rows as fps.',
    peers: ['robovet STRUCT-002'],
  },
  {
    id: 'rate_mismatch',
    holds: 'Stamps run at fps.',
    on: 'dataset',
    consequences: { [v21]: refusesSet, [v30]: trainsWrong },
    advice:
      'Correct the declared rate, or write the recordings again with true stamps: speeds and seeking depend on it.',
    peers: ['robovet TIME-202', 'robovet VIDEO-404'],
  },
  {
    id: 'path_template_wrong',
    holds: 'Files lie where data_path, video_path and chunks_size of info.json say.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Correct the template or chunks_size in meta/info.json, or move the files.',
    peers: ['robovet STRUCT-006', 'doctor Metadata'],
  },
  {
    id: 'total_episodes_too_high',
    holds: 'total_episodes is at most the number of listed episodes.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Correct total_episodes: the library looks for the rest on the Hub.',
    peers: ['robovet STRUCT-007', 'doctor Metadata'],
  },
  {
    id: 'total_episodes_too_low',
    holds: 'total_episodes is at least the number of listed episodes.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Correct total_episodes: episodes beyond it are left out, or overwritten when recording resumes.',
    peers: ['robovet STRUCT-007', 'doctor Metadata'],
  },
  {
    id: 'total_frames_wrong',
    holds: 'total_frames is the number of rows.',
    on: 'dataset',
    consequences: { [v21]: trainsWorse, [v30]: refusesRows },
    advice:
      'Correct total_frames: v3 takes it for the length of the set, and never samples some rows or asks for rows beyond the end.',
    peers: ['robovet DATA-106', 'robovet META-502', 'doctor Metadata'],
  },
  {
    id: 'names_too_few',
    holds: 'A feature has a name for each of its dimensions, or none.',
    on: 'dataset',
    consequences: sameInBoth(trainsWorse),
    advice: 'Write one name per dimension: programs that look joints up by name take the wrong one.',
  },
  {
    id: 'language_columns',
    holds: 'No feature is of language: the releases before 0.6 do not know such columns.',
    on: 'dataset',
    consequences: sameInBoth({ reader: 'refuses_set', severity: 'warning' }),
    advice: 'Load it with LeRobot 0.6 or newer, or export it without annotations.',
  },
] as const satisfies readonly ContractRule[];
