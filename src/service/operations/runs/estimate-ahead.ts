import { type LookAnswer, lookOnce, runsCost } from '#engine';
import { windowStart } from '#engine/budget';
import type { RecordingsRef } from '#io/sources';
import { budgetRows, type Store, type TenantScope } from '#store';

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
  const now = new Date();
  const { cap_usd } = await budgetRows.budgetUse(scope, { since: windowStart(now), now });
  return cap_usd === null ? null : lookOnce(await recordings());
}
