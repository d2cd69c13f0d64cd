import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import {
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  servesWrongRows,
  trainsWrong,
} from '../../shared/rule.ts';
import { dataRules } from './data.ts';
import { gr00tRules, withGr00t } from './gr00t.ts';
import { infoRules } from './info.ts';
import { gr00t, lerobotReaderOf, lerobotReaders, sameInBoth, v21, v30, withOpenpi } from './readers.ts';
import { statisticsRules } from './statistics.ts';
import { videoRules } from './videos.ts';

/** Rules for the episodes table. */
const episodeRules = [
  {
    id: 'episodes_missing',
    holds: 'The dataset has an episode table.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice:
      'Finish the recording with finalize(), or rebuild the episode table: the dataset was uploaded or read before recording had finished.',
    peers: ['robovet STRUCT-004'],
  },
  {
    id: 'episodes_unreadable',
    holds: 'Every file of the episode table is complete Parquet.',
    on: 'dataset',
    fix: true,
    consequences: { [v30]: refusesSet },
    advice:
      'Rebuild the episode table: if the recorder is killed before finalize(), the Parquet footer is missing.',
    peers: ['robovet STRUCT-004'],
  },
  {
    id: 'episodes_columns_missing',
    holds: 'The episode table has all columns that LeRobot requires.',
    on: 'dataset',
    consequences: { [v30]: refusesSet },
    advice: 'Rebuild the episode table with all required columns.',
  },
  {
    id: 'episodes_out_of_order',
    holds: 'Row i of the episode table is episode i: LeRobot looks episodes up by row number.',
    on: 'dataset',
    fix: true,
    consequences: { [v30]: servesWrongRows },
    advice: 'Sort the episode table by episode_index, without gaps.',
    peers: ['robovet META-502', 'robovet STRUCT-007'],
  },
  {
    id: 'episode_unlisted',
    holds: 'Every episode with rows is listed in the episode table.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: refusesRows },
    advice: 'Add the episode to the episode table, or remove its rows.',
    peers: ['robovet STRUCT-008'],
  },
  {
    id: 'episode_without_rows',
    holds: 'Every listed episode has rows.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Remove the episode from the episode table, or restore its rows.',
    peers: ['robovet DATA-104'],
  },
  {
    id: 'length_mismatch',
    holds: 'The length of an episode equals its number of rows.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: trainsWrong },
    advice: 'Correct length in the episode table, or restore the missing rows.',
    peers: ['robovet DATA-104', 'robovet META-502', 'doctor Episode'],
  },
  {
    id: 'row_range_wrong',
    holds: 'dataset_from_index and dataset_to_index give the row range of the episode in the dataset.',
    on: 'episode',
    fix: true,
    consequences: { [v30]: servesWrongRows },
    advice:
      'Set dataset_from_index to the number of rows before the episode, and dataset_to_index to that plus its length.',
    peers: ['robovet META-501'],
  },
  {
    id: 'episode_elsewhere',
    holds: 'data/chunk_index and data/file_index identify the file with the rows of the episode.',
    on: 'episode',
    fix: true,
    consequences: { [v30]: trainsWrong },
    advice:
      'Correct data/chunk_index and data/file_index: tools that edit or convert the dataset otherwise use the wrong rows.',
    peers: ['robovet DATA-104'],
  },
] as const satisfies readonly ContractRule[];

/** Rules for the tasks table, and for rows and episodes that refer to tasks. */
const taskRules = [
  {
    id: 'tasks_missing',
    holds: 'The dataset has a task table.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Create the task table.',
    peers: ['robovet STRUCT-005'],
  },
  {
    id: 'tasks_unreadable',
    holds: 'The task table is readable and has the columns task_index and task.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(refusesSet),
    advice: 'Rebuild the task table.',
    peers: ['robovet STRUCT-005'],
  },
  {
    id: 'tasks_out_of_order',
    holds: 'Row i of tasks.parquet is task i: LeRobot looks tasks up by row number.',
    on: 'dataset',
    fix: true,
    consequences: { [v30]: servesWrongRows },
    advice: 'Sort the task table by task_index, without gaps.',
  },
  {
    id: 'tasks_without_index',
    holds: 'The pandas index of tasks.parquet is the task description.',
    on: 'dataset',
    fix: true,
    consequences: { [v30]: servesWrongRows },
    advice: 'Write the task table with pandas, with the task description as index.',
  },
  {
    id: 'task_index_unknown',
    holds: 'Every task_index is listed in the task table.',
    on: 'episode',
    fix: true,
    consequences: sameInBoth(refusesRows),
    advice: 'Add the task to the task table.',
    peers: ['robovet DATA-109'],
  },
  {
    id: 'task_text_unlisted',
    holds: 'Tasks in the episode table are listed in the task table.',
    on: 'episode',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Use the same task description in both tables: LeRobot uses the one from the task table.',
  },
  {
    id: 'task_text_contradicts',
    holds: 'The rows of an episode have the tasks that the episode table lists.',
    on: 'episode',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Correct task_index of the rows or the tasks in the episode table: training uses task_index.',
  },
] as const satisfies readonly ContractRule[];

/** Rules for timestamps: the library assumes frame_index / fps, within 0.1 ms. */
const timestampRules = [
  {
    id: 'timestamps_off_grid',
    holds: 'Every timestamp is within 0.1 ms of a multiple of 1 / fps (LeRobot’s tolerance_s).',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: refusesRows },
    advice:
      'Set timestamp to frame_index / fps, or load with the tolerance_s given in the finding; keep measured times in a separate column.',
    peers: ['robovet TIME-202'],
  },
  {
    id: 'timestamps_start_late',
    holds: 'The first timestamp of an episode is 0.',
    on: 'episode',
    fix: true,
    consequences: sameInBoth(servesWrongRows),
    advice: 'Subtract the first timestamp from all timestamps of the episode.',
    peers: ['robovet TIME-203'],
  },
  {
    id: 'timestamps_host_clock',
    holds: 'Timestamps start at 0 in each episode; they are not times since boot or since 1970.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: refusesRows },
    advice: 'Set timestamp to frame_index / fps; keep the host clock in a separate column.',
    peers: ['robovet TIME-202', 'robovet TIME-203', 'robovet TIME-204'],
  },
  {
    id: 'timestamps_gap',
    holds: 'Timestamps increase by one frame period per row, without gaps.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice:
      'Restore the lost rows or split the episode at the gap; rows after the gap are paired with the wrong frames.',
    peers: ['robovet TIME-202', 'robovet TIME-204', 'doctor Temporal Consistency'],
  },
  {
    id: 'timestamps_repeated',
    holds: 'No two rows of an episode have the same timestamp.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice: 'Drop the duplicate rows, or set timestamp to frame_index / fps.',
    peers: ['robovet TIME-201', 'doctor Temporal Consistency'],
  },
  {
    id: 'timestamps_backwards',
    holds: 'Timestamps increase from row to row.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice: 'Sort the rows into recording order, or set timestamp to frame_index / fps.',
    peers: ['robovet TIME-201', 'doctor Temporal Consistency'],
  },
] as const satisfies readonly ContractRule[];

const libraryRules = [
  ...timestampRules,
  ...videoRules,
  ...infoRules,
  ...episodeRules,
  ...dataRules,
  ...taskRules,
  ...statisticsRules,
];

const rules = [...libraryRules.map(withGr00t), ...gr00tRules].map(withOpenpi);

/** Ids of all LeRobot rules. */
export type LeRobotRuleId = (typeof rules)[number]['id'];

/** Requirements of LeRobot's own loader, tested with the releases named, and of openpi's and GR00T's. */
export const lerobotContract: Contract = {
  format: 'lerobot',
  title: 'LeRobot datasets',
  readers: lerobotReaders,
  rules,
  readerOf: lerobotReaderOf,
};

const violations = { v2: ruleFindings(rules, v21), v3: ruleFindings(rules, v30) };

/**
 * Creates the finding for a violated rule, with the severity that the rule has for sets in this layout and the rule's
 * advice.
 */
export function createLeRobotViolation(
  layout: 'v2' | 'v3',
  id: LeRobotRuleId,
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding {
  return violations[layout](id, path, message, evidence);
}

/** Id of a rule that only GR00T's loaders have. */
export type Gr00tRuleId = (typeof gr00tRules)[number]['id'];

/** Creates the finding for a violated rule of GR00T. */
export const createGr00tViolation = ruleFindings<(typeof gr00tRules)[number]>(gr00tRules, gr00t);
