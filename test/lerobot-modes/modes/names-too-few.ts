import type { Mode } from '../mode.ts';

export const namesTooFew: Mode = {
  id: 'names_too_few',
  row: 49,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['names_too_few'],
  least: 'warning',
  plant: (set) => {
    set.info.features.action.names = (set.info.features.action.names as string[]).slice(0, -1);
  },
};
