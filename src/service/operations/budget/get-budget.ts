import type { Budget } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { budgetView } from './budget-view.ts';

/** The weekly cap, what was spent and what is reserved. */
export async function getBudget(store: Store, call: Call): Promise<Budget> {
  requireRole(call, 'viewer');
  return budgetView(store, call);
}
