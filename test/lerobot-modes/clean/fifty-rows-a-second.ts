import type { CleanVariant } from '../mode.ts';

export const fiftyRowsASecond: CleanVariant = {
  id: 'fifty_rows_a_second',
  versions: ['v2.1', 'v3.0'],
  fps: 50,
};
