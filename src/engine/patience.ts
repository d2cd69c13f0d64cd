import { setTimeout as wait } from 'node:timers/promises';
import { AssayError } from '#core';

export interface PatienceOptions {
  readonly patience_ms: number;
  readonly signal: AbortSignal;
  /** Hears of every failure that is waited out, and null once it works again. */
  readonly onWait: (failure: AssayError | null) => void;
}

const longestPause_ms = 10_000;

/** Codes that say that something outside is away or full, and may be back. */
const passing = new Set(['storage_unavailable', 'database_unavailable', 'output_unwritable']);

/** Tries `work` again, in growing pauses, while what it needs is away; throws its error when patience is at an end. */
export async function withPatience<T>(
  work: () => Promise<T>,
  { patience_ms, signal, onWait }: PatienceOptions,
): Promise<T> {
  const begun = performance.now();
  for (let pause_ms = 250, waited = false; ; pause_ms = Math.min(pause_ms * 2, longestPause_ms)) {
    try {
      const result = await work();
      if (waited) onWait(null);
      return result;
    } catch (thrown) {
      const fault = passingFault(thrown);
      if (fault === null || performance.now() - begun + pause_ms > patience_ms) throw fault ?? thrown;
      waited = true;
      onWait(fault);
    }
    await wait(pause_ms, undefined, { signal });
  }
}

/** The same, telling nobody, for whoever has a patience of its own. */
export function patiently<T>(
  { patience_ms }: Pick<PatienceOptions, 'patience_ms'>,
  work: () => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  return withPatience(work, { patience_ms, signal, onWait: () => {} });
}

/** The fault that says so, also where the query builder has wrapped it. */
function passingFault(thrown: unknown): AssayError | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof AssayError && passing.has(at.code)) return at;
  }
  return null;
}
