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
import { infoRules } from './info.ts';
import { sameInBoth, v21, v30 } from './readers.ts';
import { statisticsRules } from './statistics.ts';
import { videoRules } from './videos.ts';

/** Rules for the episodes table. */
const episodeRules = [
  {
    id: 'episodes_missing',
    holds: 'There is a table of episodes.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice:
      'Finish the recording with finalize(), or write the table of episodes again: the set was uploaded or read before recording had finished.',
    peers: ['robovet STRUCT-004'],
  },
  {
    id: 'episodes_unreadable',
    holds: 'Every file of the table of episodes is whole Parquet.',
    on: 'dataset',
    consequences: { [v30]: refusesSet },
    advice:
      'Write the table of episodes again: a recorder that was killed before finalize() leaves no footer.',
    peers: ['robovet STRUCT-004'],
  },
  {
    id: 'episodes_columns_missing',
    holds: 'The table of episodes has every column that the library looks up.',
    on: 'dataset',
    consequences: { [v30]: refusesSet },
    advice: 'Write the table of episodes with all its columns.',
  },
  {
    id: 'episodes_out_of_order',
    holds: 'Row i of the table of episodes is episode i: the library looks episodes up by row.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Sort the table by episode_index, without gaps.',
    peers: ['robovet META-502', 'robovet STRUCT-007'],
  },
  {
    id: 'episode_unlisted',
    holds: 'Every episode with rows is in the table of episodes.',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: refusesRows },
    advice: 'List the episode, or remove its rows.',
    peers: ['robovet STRUCT-008'],
  },
  {
    id: 'episode_without_rows',
    holds: 'Every listed episode has rows.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Remove the episode from the table, or restore its rows.',
    peers: ['robovet DATA-104'],
  },
  {
    id: 'length_mismatch',
    holds: 'length of an episode is the number of its rows.',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: trainsWrong },
    advice: 'Correct the length, or restore the missing rows.',
    peers: ['robovet DATA-104', 'robovet META-502', 'doctor Episode'],
  },
  {
    id: 'row_range_wrong',
    holds: 'dataset_from_index and dataset_to_index give the rows of the episode in the whole set.',
    on: 'episode',
    consequences: { [v30]: servesWrongRows },
    advice:
      'Write dataset_from_index as the number of rows before the episode, dataset_to_index as that plus its length.',
    peers: ['robovet META-501'],
  },
  {
    id: 'episode_elsewhere',
    holds: 'data/chunk_index and data/file_index name the file that holds the rows.',
    on: 'episode',
    consequences: { [v30]: trainsWrong },
    advice:
      'Correct data/chunk_index and data/file_index: tools that edit or convert the set take the wrong rows.',
    peers: ['robovet DATA-104'],
  },
] as const satisfies readonly ContractRule[];

/** Rules for the tasks table, and for rows and episodes that refer to tasks. */
const taskRules = [
  {
    id: 'tasks_missing',
    holds: 'There is a table of tasks.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Write the table of tasks.',
    peers: ['robovet STRUCT-005'],
  },
  {
    id: 'tasks_unreadable',
    holds: 'The table of tasks can be read and has the columns task_index and task.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Write the table of tasks again.',
    peers: ['robovet STRUCT-005'],
  },
  {
    id: 'tasks_out_of_order',
    holds: 'Row i of tasks.parquet is task i: the library looks texts up by row.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Sort the table of tasks by task_index, without gaps.',
  },
  {
    id: 'tasks_without_index',
    holds: 'The task text is the pandas index of tasks.parquet.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Write the table with pandas, the task text as its index.',
  },
  {
    id: 'task_index_unknown',
    holds: 'Every task_index has a row in the table of tasks.',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice: 'Add the task to the table of tasks.',
    peers: ['robovet DATA-109'],
  },
  {
    id: 'task_text_unlisted',
    holds: 'Task texts of the table of episodes are in the table of tasks.',
    on: 'episode',
    consequences: sameInBoth(trainsWrong),
    advice: 'Write the same text in both tables: rows get the text of the table of tasks.',
  },
  {
    id: 'task_text_contradicts',
    holds: 'The rows of an episode name the tasks that the table of episodes names.',
    on: 'episode',
    consequences: sameInBoth(trainsWrong),
    advice: 'Correct task_index of the rows or the texts of the episode: training goes by the rows.',
  },
] as const satisfies readonly ContractRule[];

/** Rules for timestamps: the library assumes frame_index / fps, within 0.1 ms. */
const timestampRules = [
  {
    id: 'timestamps_off_grid',
    holds: 'Every stamp is a multiple of 1 / fps within 0.1 ms (tolerance_s of the library).',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: refusesRows },
    advice:
      'Write timestamp as frame_index / fps, or load with the tolerance_s named in the finding; keep measured clocks in a separate column.',
    peers: ['robovet TIME-202'],
  },
  {
    id: 'timestamps_start_late',
    holds: 'The first stamp of an episode is 0.',
    on: 'episode',
    consequences: sameInBoth(servesWrongRows),
    advice: 'Subtract the first stamp from all stamps of the episode.',
    peers: ['robovet TIME-203'],
  },
  {
    id: 'timestamps_host_clock',
    holds: 'Stamps count from the start of the episode, not from boot or from 1970.',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: refusesRows },
    advice: 'Write timestamp as frame_index / fps; keep the host clock in a separate column.',
    peers: ['robovet TIME-202', 'robovet TIME-203', 'robovet TIME-204'],
  },
  {
    id: 'timestamps_gap',
    holds: 'Stamps rise by one period per row: none is missing.',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice: 'Restore the lost rows or cut the episode at the gap; after it, rows get the wrong pictures.',
    peers: ['robovet TIME-202', 'robovet TIME-204', 'doctor Temporal Consistency'],
  },
  {
    id: 'timestamps_repeated',
    holds: 'No two rows of an episode share a stamp.',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice: 'Drop the rows that were written twice, or write timestamp as frame_index / fps.',
    peers: ['robovet TIME-201', 'doctor Temporal Consistency'],
  },
  {
    id: 'timestamps_backwards',
    holds: 'Stamps rise from row to row.',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice:
      'Sort the rows into the order in which they were recorded, or write timestamp as frame_index / fps.',
    peers: ['robovet TIME-201', 'doctor Temporal Consistency'],
  },
] as const satisfies readonly ContractRule[];

const rules = [
  ...timestampRules,
  ...videoRules,
  ...infoRules,
  ...episodeRules,
  ...dataRules,
  ...taskRules,
  ...statisticsRules,
];
/** Ids of all LeRobot rules. */
export type LeRobotRuleId = (typeof rules)[number]['id'];

/** Requirements of LeRobot's own loader, tested with the releases named. */
export const lerobotContract: Contract = {
  format: 'lerobot',
  title: 'LeRobot datasets',
  readers: [
    { id: v21, release: '0.3.3' },
    { id: v30, release: '0.4.4' },
  ],
  rules,
  readerOf: (version) => (version?.startsWith('v2') === true ? v21 : v30),
};

const violations = { v2: ruleFindings(rules, v21), v3: ruleFindings(rules, v30) };

/** Creates the finding for a violated rule of a set in this layout. */
export function createLeRobotViolation(
  layout: 'v2' | 'v3',
  id: LeRobotRuleId,
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding {
  return violations[layout](id, path, message, evidence);
}
