import type { CleanVariant } from '../mode.ts';

/** As it is recorded: degrees, 30 rows a second, averaged quantiles. */
export const base: CleanVariant = {
  id: 'base',
  versions: ['v2.1', 'v3.0'],
};
