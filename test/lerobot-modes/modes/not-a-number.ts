import { rowsOf } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const notANumber: Mode = {
  id: 'not_a_number',
  row: 57,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['non_finite_values'],
  least: 'blocking',
  plant: (set, { episode, random }) => {
    const rows = rowsOf(set, episode);
    const { values } = rows[random.integer(5, rows.length - 5)];
    const key = random.pick(['action', 'observation.state']);
    values[key] = (values[key] as number[]).map((value, dim) => (dim === 3 ? Number.NaN : value));
  },
};
