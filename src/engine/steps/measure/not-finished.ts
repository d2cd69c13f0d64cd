import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';

/** Code under which a run keeps that a unit could not be measured, until it is resumed. */
export const notFinished = 'not_finished';

export function findingOf({ path, reason, advice }: Incomplete): Finding {
  return { code: notFinished, severity: 'error', path, message: reason, advice };
}
