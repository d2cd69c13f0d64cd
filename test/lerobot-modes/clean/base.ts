import type { CleanVariant } from '../mode.ts';

/** The usual recording: degrees, 30 rows per second, averaged quantiles. */
export const base: CleanVariant = {
  id: 'base',
  versions: ['v2.1', 'v3.0'],
};
