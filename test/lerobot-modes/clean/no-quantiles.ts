import type { CleanVariant } from '../mode.ts';

export const noQuantiles: CleanVariant = {
  id: 'no_quantiles',
  versions: ['v3.0'],
  lay: (set) => {
    for (const row of set.episodes)
      for (const name of Object.keys(row)) if (/\/q\d\d$/.test(name)) delete row[name];
    for (const entry of Object.values(set.stats!)) {
      for (const name of Object.keys(entry)) if (/^q\d\d$/.test(name)) delete entry[name];
    }
  },
};
