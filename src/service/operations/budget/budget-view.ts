import { type Budget, flatPrices } from '#core/api';
import { usd, window_days, windowStart } from '#engine/budget';
import { budgetRows, type Store } from '#store';
import { type Call, scopeOf } from '../call.ts';

/** A tenant's budget as it is answered. */
export async function budgetView(store: Store, call: Call): Promise<Budget> {
  const { now } = call;
  const from = windowStart(now);
  const { cap_usd, spent_usd, reserved_usd } = await budgetRows.budgetUse(scopeOf(store, call), {
    since: from,
    now,
  });
  return {
    cap_usd,
    spent_usd: usd(spent_usd),
    reserved_usd: usd(reserved_usd),
    remaining_usd: cap_usd === null ? null : Math.max(0, usd(cap_usd - spent_usd - reserved_usd)),
    window: { days: window_days, from: from.toISOString(), to: now.toISOString() },
    prices: store.prices ?? flatPrices(0),
  };
}
