import { AssayError, messageOf } from '#core';
import type { RunError, UndoneRow } from '#store';

export type Failed = Pick<UndoneRow, 'state' | 'error'>;

/** Codes of faults that another try may not meet. */
const passing = new Set(['storage_unavailable', 'busy', 'rate_limited', 'endpoint_unavailable']);

/** What an episode failed with; throws where the work was only stopped. */
export function failedBy(thrown: unknown): Failed {
  if (thrown instanceof AssayError && thrown.code === 'cancelled') throw thrown;
  const mayPass = thrown instanceof AssayError && passing.has(thrown.code);
  return { state: mayPass ? 'again' : 'failed', error: errorOf(thrown) };
}

function errorOf(thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  const advice = 'report it with the id of the episode; its other layers are not touched';
  return { code: 'internal', message: `a fault in the program: ${messageOf(thrown)}`, path: null, advice };
}
