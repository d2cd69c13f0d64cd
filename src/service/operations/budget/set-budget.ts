import type { Budget } from '#core/api';
import { usd } from '#engine/budget';
import { budgetRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { budgetView } from './budget-view.ts';

/** Sets the weekly cap; null lifts it. Audited. */
export async function setBudget(
  store: Store,
  call: Call,
  asked: { readonly cap_usd: number | null },
): Promise<Budget> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const cap_usd = asked.cap_usd === null ? null : usd(asked.cap_usd);
  return store.database.transaction(async () => {
    await budgetRows.lockBudget(scope, call.now);
    const before = await budgetView(store, call);
    if (before.cap_usd === cap_usd) return before;
    await budgetRows.setCap(scope, cap_usd, call.now);
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
