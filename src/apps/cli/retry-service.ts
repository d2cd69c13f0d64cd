import { AssayError, messageOf } from '#core';

/** Delay between two attempts to reach a service that stopped answering. */
export const retryDelay_ms = 1000;
/** Maximum time without an answer before giving up. */
const maxSilence_ms = 120_000;

/** Error codes of temporary conditions, after which a request is retried. */
const transientCodes = new Set([
  'storage_unavailable',
  'database_unavailable',
  'busy',
  'rate_limited',
  'cancelled',
]);

/**
 * Rethrows an error that a retry cannot fix; throws `storage_unavailable` once the service has not answered for 2 min.
 * `heard_ms` is the time of its last answer (`performance.now()`); `path` is where the state of the work can be read.
 */
export function throwUnlessTransient(thrown: unknown, heard_ms: number, noun: string, path: string): void {
  if (thrown instanceof AssayError && !transientCodes.has(thrown.code)) throw thrown;
  if (performance.now() - heard_ms < maxSilence_ms) return;
  throw new AssayError(
    'storage_unavailable',
    `the service has not answered for 2 min: ${messageOf(thrown)}`,
    {
      advice: `the ${noun} may still be running; GET ${path} shows its progress`,
      cause: thrown,
    },
  );
}
