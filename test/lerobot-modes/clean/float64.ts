import type { CleanVariant } from '../mode.ts';

export const float64: CleanVariant = {
  id: 'float64',
  versions: ['v2.1', 'v3.0'],
  lay: (set) => {
    for (const key of ['action', 'observation.state']) set.info.features[key].dtype = 'float64';
    for (const { columns } of set.data)
      Object.assign(columns, { action: 'DOUBLE[]', 'observation.state': 'DOUBLE[]' });
  },
};
