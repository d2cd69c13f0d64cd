import { AssayError } from '#core';
import { type Budget, type CostGroup, type Costs, flatPrices } from '#core/api';
import { reportThreshold, roundUsd, window_days, windowStart } from '#engine/budget';
import { budgetRows, type Store } from '#store';
import { appendAudit } from './audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from './call.ts';

/**
 * Returns the cap for seven days, the money spent in the last seven days, the money reserved, and what remains (null without a
 * cap).
 */
export async function getBudget(store: Store, call: Call): Promise<Budget> {
  requireRole(call, 'viewer');
  return budgetView(store, call);
}

/**
 * Sets the cap for seven days in US dollars (null removes it), audits the change, and returns the budget; does nothing if the
 * cap is the same.
 */
export async function setBudget(
  store: Store,
  call: Call,
  budgetInput: { readonly cap_usd: number | null },
): Promise<Budget> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const cap_usd = budgetInput.cap_usd === null ? null : roundUsd(budgetInput.cap_usd);
  return store.database.transaction(async () => {
    await budgetRows.lockBudget(scope, call.now);
    const before = await budgetView(store, call);
    if (before.cap_usd === cap_usd) return before;
    await budgetRows.setCap(scope, cap_usd, call.now);
    await reportThreshold({ store, scope, now: call.now });
    await appendAudit(store, call, {
      action: 'set_budget',
      object_type: 'budget',
      object_id: scope.tenant_id,
      before: { cap_usd: before.cap_usd },
      after: { cap_usd },
      detail: { cap_usd: { from: before.cap_usd, to: cap_usd } },
    });
    return budgetView(store, call);
  });
}

/** Grouping and time range of costs. */
interface CostQuery {
  readonly group_by: CostGroup;
  /** Start, included. Defaults to seven days before `to`. */
  readonly from?: string | undefined;
  /** End, excluded. Defaults to now. */
  readonly to?: string | undefined;
}

/**
 * Returns the sums of charges of a time range by group, by default of the last seven days. Throws `invalid_request` if `from`
 * is not before `to`.
 */
export async function getCosts(store: Store, call: Call, query: CostQuery): Promise<Costs> {
  requireRole(call, 'viewer');
  const to = query.to === undefined ? call.now : new Date(query.to);
  const from = query.from === undefined ? windowStart(to) : new Date(query.from);
  if (from.getTime() >= to.getTime())
    throw new AssayError('invalid_request', 'from must be before to', {
      details: { errors: [{ pointer: '/query/from', message: 'must be before to' }] },
    });
  const { group_by: by } = query;
  const rows = await budgetRows.sumCharges(scopeOf(store, call), { by, from, to });
  const items = rows.map((row) => ({
    ...row,
    amount_usd: roundUsd(row.amount_usd),
    waived_usd: roundUsd(row.waived_usd),
  }));
  return {
    group_by: by,
    window: { from: from.toISOString(), to: to.toISOString() },
    items,
    total_usd: roundUsd(items.reduce((sum, { amount_usd }) => sum + amount_usd, 0)),
  };
}

/** Returns the tenant's budget: cap, money spent and reserved in the current window, and prices. */
async function budgetView(store: Store, call: Call): Promise<Budget> {
  const { now } = call;
  const from = windowStart(now);
  const { cap_usd, spent_usd, reserved_usd } = await budgetRows.budgetUse(scopeOf(store, call), {
    since: from,
    now,
  });
  return {
    cap_usd,
    spent_usd: roundUsd(spent_usd),
    reserved_usd: roundUsd(reserved_usd),
    remaining_usd: cap_usd === null ? null : Math.max(0, roundUsd(cap_usd - spent_usd - reserved_usd)),
    window: { days: window_days, from: from.toISOString(), to: now.toISOString() },
    prices: store.prices ?? flatPrices(0),
  };
}
