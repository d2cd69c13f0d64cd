import {
  type ContractRule,
  refusesRows,
  refusesSet,
  servesWrongRows,
  trainsWrong,
} from '../../shared/rule.ts';
import { both, v30 } from './readers.ts';

/** What the library needs of the table of tasks, and of the rows and episodes that name tasks. */
export const taskRules = [
  {
    id: 'tasks_missing',
    holds: 'There is a table of tasks.',
    on: 'dataset',
    breach: both(refusesSet),
    advice: 'Write the table of tasks.',
    peers: ['robovet STRUCT-005'],
  },
  {
    id: 'tasks_unreadable',
    holds: 'The table of tasks can be read and has the columns task_index and task.',
    on: 'dataset',
    breach: both(refusesSet),
    advice: 'Write the table of tasks again.',
    peers: ['robovet STRUCT-005'],
  },
  {
    id: 'tasks_out_of_order',
    holds: 'Row i of tasks.parquet is task i: the library looks texts up by row.',
    on: 'dataset',
    breach: { [v30]: servesWrongRows },
    advice: 'Sort the table of tasks by task_index, without gaps.',
  },
  {
    id: 'tasks_without_index',
    holds: 'The task text is the pandas index of tasks.parquet.',
    on: 'dataset',
    breach: { [v30]: servesWrongRows },
    advice: 'Write the table with pandas, the task text as its index.',
  },
  {
    id: 'task_index_unknown',
    holds: 'Every task_index has a row in the table of tasks.',
    on: 'episode',
    breach: both(refusesRows),
    advice: 'Add the task to the table of tasks.',
    peers: ['robovet DATA-109'],
  },
  {
    id: 'task_text_unlisted',
    holds: 'Task texts of the table of episodes are in the table of tasks.',
    on: 'episode',
    breach: both(trainsWrong),
    advice: 'Write the same text in both tables: rows get the text of the table of tasks.',
  },
  {
    id: 'task_text_contradicts',
    holds: 'The rows of an episode name the tasks that the table of episodes names.',
    on: 'episode',
    breach: both(trainsWrong),
    advice: 'Correct task_index of the rows or the texts of the episode: training goes by the rows.',
  },
] as const satisfies readonly ContractRule[];
