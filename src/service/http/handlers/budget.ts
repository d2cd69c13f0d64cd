import type { budgetOperations } from '#core/api/operations';
import { getBudget, getCosts, setBudget } from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of the budget and costs. */
export const budgetHandlers = {
  get_budget: ({ store, call }) => getBudget(store, call),
  set_budget: ({ store, call }, { body }) => setBudget(store, call, body),
  get_costs: ({ store, call }, { query }) => getCosts(store, call, query),
} satisfies HandlersOf<typeof budgetOperations>;
