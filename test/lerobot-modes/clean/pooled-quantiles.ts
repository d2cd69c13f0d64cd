import { columnsOf } from '../lay-out.ts';
import type { CleanVariant } from '../mode.ts';
import { entryV3 } from '../statistics.ts';

/** Quantiles of all rows together, as versions after 0.6 write them. */
export const pooledQuantiles: CleanVariant = {
  id: 'pooled_quantiles',
  versions: ['v3.0'],
  lay: (set) => {
    const rows = set.data.flatMap((file) => file.rows);
    for (const key of ['action', 'observation.state'])
      set.stats![key] = entryV3(columnsOf(rows, key), 'float32');
  },
};
