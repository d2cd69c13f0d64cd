import { cut, dataFileOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** The recorder was killed before it wrote the footer. */
export const dataWithoutFooter: Mode = {
  id: 'data_without_footer',
  row: 30,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['data_file_unreadable'],
  least: 'blocking',
  concerns: ({ episode }, set) => [...new Set(dataFileOf(set, episode).rows.map((row) => row.truth.episode))],
  plant: (set, { episode }) => cut(set, dataFileOf(set, episode).path, (bytes) => bytes - 300),
};
