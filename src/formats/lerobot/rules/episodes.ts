import {
  type ContractRule,
  refusesRows,
  refusesSet,
  servesWrongRows,
  trainsWrong,
} from '../../shared/rule.ts';
import { both, v21, v30 } from './readers.ts';

/** What the library needs of the table of episodes. */
export const episodeRules = [
  {
    id: 'episodes_missing',
    holds: 'There is a table of episodes.',
    on: 'dataset',
    breach: both(refusesSet),
    advice:
      'Finish the recording with finalize(), or write the table of episodes again: the set was uploaded or read before recording had finished.',
    peers: ['robovet STRUCT-004'],
  },
  {
    id: 'episodes_unreadable',
    holds: 'Every file of the table of episodes is whole Parquet.',
    on: 'dataset',
    breach: { [v30]: refusesSet },
    advice:
      'Write the table of episodes again: a recorder that was killed before finalize() leaves no footer.',
    peers: ['robovet STRUCT-004'],
  },
  {
    id: 'episodes_columns_missing',
    holds: 'The table of episodes has every column that the library looks up.',
    on: 'dataset',
    breach: { [v30]: refusesSet },
    advice: 'Write the table of episodes with all its columns.',
  },
  {
    id: 'episodes_out_of_order',
    holds: 'Row i of the table of episodes is episode i: the library looks episodes up by row.',
    on: 'dataset',
    breach: { [v30]: servesWrongRows },
    advice: 'Sort the table by episode_index, without gaps.',
    peers: ['robovet META-502', 'robovet STRUCT-007'],
  },
  {
    id: 'episode_unlisted',
    holds: 'Every episode with rows is in the table of episodes.',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: refusesRows },
    advice: 'List the episode, or remove its rows.',
    peers: ['robovet STRUCT-008'],
  },
  {
    id: 'episode_without_rows',
    holds: 'Every listed episode has rows.',
    on: 'dataset',
    breach: both(refusesSet),
    advice: 'Remove the episode from the table, or restore its rows.',
    peers: ['robovet DATA-104'],
  },
  {
    id: 'length_mismatch',
    holds: 'length of an episode is the number of its rows.',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: trainsWrong },
    advice: 'Correct the length, or restore the missing rows.',
    peers: ['robovet DATA-104', 'robovet META-502', 'doctor Episode'],
  },
  {
    id: 'row_range_wrong',
    holds: 'dataset_from_index and dataset_to_index give the rows of the episode in the whole set.',
    on: 'episode',
    breach: { [v30]: servesWrongRows },
    advice:
      'Write dataset_from_index as the number of rows before the episode, dataset_to_index as that plus its length.',
    peers: ['robovet META-501'],
  },
  {
    id: 'episode_elsewhere',
    holds: 'data/chunk_index and data/file_index name the file that holds the rows.',
    on: 'episode',
    breach: { [v30]: trainsWrong },
    advice:
      'Correct data/chunk_index and data/file_index: tools that edit or convert the set take the wrong rows.',
    peers: ['robovet DATA-104'],
  },
] as const satisfies readonly ContractRule[];
