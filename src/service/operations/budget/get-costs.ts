import { AssayError } from '#core';
import type { CostGroup, Costs } from '#core/api';
import { usd, windowStart } from '#engine/budget';
import { budgetRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';

export interface CostQuery {
  readonly group_by: CostGroup;
  /** Included; by default seven days before now. */
  readonly from?: string | undefined;
  /** Excluded; by default now. */
  readonly to?: string | undefined;
}

/** What was charged, summed by group. Throws `invalid_request` where `from` is not before `to`. */
export async function getCosts(store: Store, call: Call, query: CostQuery): Promise<Costs> {
  requireRole(call, 'viewer');
  const to = query.to === undefined ? call.now : new Date(query.to);
  const from = query.from === undefined ? windowStart(to) : new Date(query.from);
  if (from.getTime() >= to.getTime())
    throw new AssayError('invalid_request', 'from must lie before to', {
      details: { errors: [{ pointer: '/query/from', message: 'must lie before to' }] },
    });
  const { group_by: by } = query;
  const rows = await budgetRows.sumCharges(scopeOf(store, call), { by, from, to });
  const items = rows.map((row) => ({
    ...row,
    amount_usd: usd(row.amount_usd),
    waived_usd: usd(row.waived_usd),
  }));
  return {
    group_by: by,
    window: { from: from.toISOString(), to: to.toISOString() },
    items,
    total_usd: usd(items.reduce((sum, { amount_usd }) => sum + amount_usd, 0)),
  };
}
