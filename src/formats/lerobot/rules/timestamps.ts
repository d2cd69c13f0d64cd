import { type ContractRule, refusesRows, refusesSet, servesWrongRows } from '../../shared/rule.ts';
import { both, v21, v30 } from './readers.ts';

/** The library takes stamps for frame_index / fps, within 0.1 ms. */
export const timestampRules = [
  {
    id: 'timestamps_off_grid',
    holds: 'Every stamp is a multiple of 1 / fps within 0.1 ms (tolerance_s of the library).',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: refusesRows },
    advice:
      'Write timestamp as frame_index / fps, or load with the tolerance_s named in the finding; keep measured clocks in a separate column.',
    peers: ['robovet TIME-202'],
  },
  {
    id: 'timestamps_start_late',
    holds: 'The first stamp of an episode is 0.',
    on: 'episode',
    breach: both(servesWrongRows),
    advice: 'Subtract the first stamp from all stamps of the episode.',
    peers: ['robovet TIME-203'],
  },
  {
    id: 'timestamps_host_clock',
    holds: 'Stamps count from the start of the episode, not from boot or from 1970.',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: refusesRows },
    advice: 'Write timestamp as frame_index / fps; keep the host clock in a separate column.',
    peers: ['robovet TIME-202', 'robovet TIME-203', 'robovet TIME-204'],
  },
  {
    id: 'timestamps_gap',
    holds: 'Stamps rise by one period per row: none is missing.',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice: 'Restore the lost rows or cut the episode at the gap; after it, rows get the wrong pictures.',
    peers: ['robovet TIME-202', 'robovet TIME-204', 'doctor Temporal Consistency'],
  },
  {
    id: 'timestamps_repeated',
    holds: 'No two rows of an episode share a stamp.',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice: 'Drop the rows that were written twice, or write timestamp as frame_index / fps.',
    peers: ['robovet TIME-201', 'doctor Temporal Consistency'],
  },
  {
    id: 'timestamps_backwards',
    holds: 'Stamps rise from row to row.',
    on: 'episode',
    breach: { [v21]: refusesSet, [v30]: servesWrongRows },
    advice:
      'Sort the rows into the order in which they were recorded, or write timestamp as frame_index / fps.',
    peers: ['robovet TIME-201', 'doctor Temporal Consistency'],
  },
] as const satisfies readonly ContractRule[];
