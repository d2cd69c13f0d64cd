import { setTimeout as wait } from 'node:timers/promises';
import { AssayError } from '#core';

/** Options of `retryWhileUnavailable`. */
export interface RetryOptions {
  readonly patience_ms: number;
  readonly signal: AbortSignal;
  /** Called with each failure that is retried, and with null once the work succeeds after that. */
  readonly onWait: (failure: AssayError | null) => void;
}

const maxPause_ms = 10_000;

/** Error codes of external services that are down or full and may recover. */
const transientCodes = new Set(['storage_unavailable', 'database_unavailable', 'output_unwritable']);

/**
 * Runs `work` and returns its result; repeats it with growing pauses (0.25 to 10 s) while an external service is unavailable,
 * for at most `patience_ms`, and throws other errors at once.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  { patience_ms, signal, onWait }: RetryOptions,
): Promise<T> {
  const begun = performance.now();
  for (let pause_ms = 250, waited = false; ; pause_ms = Math.min(pause_ms * 2, maxPause_ms)) {
    try {
      const result = await work();
      if (waited) onWait(null);
      return result;
    } catch (thrown) {
      const fault = findTransientError(thrown);
      if (fault === null || performance.now() - begun + pause_ms > patience_ms) throw fault ?? thrown;
      waited = true;
      onWait(fault);
    }
    await wait(pause_ms, undefined, { signal });
  }
}

/** Runs `work` as `retryWhileUnavailable` does and returns its result, without reporting failures. */
export function retryQuietly<T>(
  { patience_ms }: Pick<RetryOptions, 'patience_ms'>,
  work: () => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  return retryWhileUnavailable(work, { patience_ms, signal, onWait: () => {} });
}

/** Returns the transient AssayError in the cause chain, or null if there is none. */
function findTransientError(thrown: unknown): AssayError | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof AssayError && transientCodes.has(at.code)) return at;
  }
  return null;
}
