import type { RunPlan } from '#contract';
import { budgetRows, type RecordingsRef, type Store, type TenantScope } from '#store';
import { windowStart } from '../budget/money.ts';
import { plannedSeconds } from './estimate.ts';
import { runsCost } from './run-budget.ts';
import { lookOnce } from './threads/look-once.ts';
import type { LookAnswer } from './threads/thread-messages.ts';

/** Seconds that what was found is expected to take. */
export const secondsOf = ({ planned }: LookAnswer): number =>
  plannedSeconds(JSON.parse(planned) as RunPlan['datasets']);

/**
 * Looks at a source before a run of it is queued, where a cap might leave no room for the run: null where none can.
 * Throws what makes the source unreadable.
 */
export async function lookWhereCapped(
  store: Store,
  scope: TenantScope,
  recordings: () => Promise<RecordingsRef>,
): Promise<LookAnswer | null> {
  if (!runsCost(store)) return null;
  const { cap_usd } = await budgetRows.budgetUse(scope, windowStart(new Date()));
  return cap_usd === null ? null : lookOnce(await recordings());
}
