import type { Budget } from '#contract';
import { budgetRows, type TenantScope } from '#store';
import { usd, window_days, windowStart } from './money.ts';

/** A tenant's budget as it is answered. */
export async function budgetView(scope: TenantScope, now: Date): Promise<Budget> {
  const from = windowStart(now);
  const { cap_usd, spent_usd, reserved_usd } = await budgetRows.budgetUse(scope, from);
  return {
    cap_usd,
    spent_usd: usd(spent_usd),
    reserved_usd: usd(reserved_usd),
    remaining_usd: cap_usd === null ? null : Math.max(0, usd(cap_usd - spent_usd - reserved_usd)),
    window: { days: window_days, from: from.toISOString(), to: now.toISOString() },
  };
}
