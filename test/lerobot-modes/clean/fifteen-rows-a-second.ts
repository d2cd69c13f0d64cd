import type { CleanVariant } from '../mode.ts';

export const fifteenRowsASecond: CleanVariant = {
  id: 'fifteen_rows_a_second',
  versions: ['v2.1', 'v3.0'],
  fps: 15,
};
