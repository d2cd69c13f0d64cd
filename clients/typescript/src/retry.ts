import type { AssayApiError } from './api-error.ts';

/** Limits of retrying. */
export interface Patience {
  readonly tries: number;
  readonly longest_wait_s: number;
}

const first_ms = 500;
const most_ms = 8000;

/**
 * Returns the time in ms to wait before the next attempt; null if a retry cannot help. `tried`: number of attempts so
 * far. A request that was refused for its rate, or because one with the same key still runs, had no effect and is
 * always retried. A request that was interrupted may have had one, so it is retried only if it may be repeated.
 */
export function waitBefore(
  error: AssayApiError,
  tried: number,
  { tries, longest_wait_s }: Patience,
  mayRepeat: boolean,
): number | null {
  const { status, code, retry_after_s } = error;
  const isAway = code === 'unreachable' || status === 502 || status === 503 || status === 504;
  const isRefusedForNow = status === 429 || (code === 'idempotency_conflict' && retry_after_s !== null);
  if (tried >= tries || !(isRefusedForNow || (isAway && mayRepeat))) return null;
  if (retry_after_s === null) return backOff(tried);
  return retry_after_s > longest_wait_s ? null : retry_after_s * 1000;
}

/** Returns an exponential backoff with jitter, in ms. */
export const backOff = (tried: number): number =>
  Math.min(most_ms, first_ms * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);

/** Resolves after `ms`. Rejects with the reason of the signal when it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
