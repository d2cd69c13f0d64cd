import type { AssayApiError } from './api-error.ts';

/** How patient a call is. */
export interface Patience {
  readonly tries: number;
  readonly longest_wait_s: number;
}

const first_ms = 500;
const most_ms = 8000;

/**
 * How long to wait before a call is tried again; null where that cannot help. What was refused for its rate was not done,
 * so that anything may be tried again; what failed on the way may have been done, so that only what may be repeated is.
 */
export function waitBefore(
  error: AssayApiError,
  tried: number,
  { tries, longest_wait_s }: Patience,
  mayRepeat: boolean,
): number | null {
  const { status, code, retry_after_s } = error;
  const isAway = code === 'unreachable' || status === 502 || status === 503 || status === 504;
  if (tried >= tries || !(status === 429 || (isAway && mayRepeat))) return null;
  if (retry_after_s === null) return backOff(tried);
  return retry_after_s > longest_wait_s ? null : retry_after_s * 1000;
}

/** Twice as long each time, and not at the same moment as everybody else. */
export const backOff = (tried: number): number =>
  Math.min(most_ms, first_ms * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);

/** Resolves after so long. Rejects with the signal's reason when that aborts. */
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
