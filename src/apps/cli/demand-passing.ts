import { AssayError, messageOf } from '#core';

/** Between two tries to reach a service that went away, and for how long it is tried. */
export const again_ms = 1000;
const patience_ms = 120_000;

/** Codes with which a service says that it will be back. */
const passing = new Set(['storage_unavailable', 'database_unavailable', 'busy', 'rate_limited', 'cancelled']);

/**
 * Throws what another try would meet as well, and whatever it is once the service has been silent for too long.
 * `heard_ms`: when it last said something; `path`: where to look how far the work is.
 */
export function demandPassing(thrown: unknown, heard_ms: number, noun: string, path: string): void {
  if (thrown instanceof AssayError && !passing.has(thrown.code)) throw thrown;
  if (performance.now() - heard_ms < patience_ms) return;
  throw new AssayError(
    'storage_unavailable',
    `the service has not answered for 2 min: ${messageOf(thrown)}`,
    {
      advice: `the ${noun} goes on where workers run; GET ${path} tells how far it is`,
      cause: thrown,
    },
  );
}
