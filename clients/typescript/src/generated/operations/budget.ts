// Written by `npm run generate` from src/core/api. Change it there.
import type { GetCostsInput, SetBudgetInput } from '../types/budget-calls.ts';
import type { Budget, Costs } from '../types/budget.ts';

export interface BudgetOperations {
  get_budget: { input: Record<never, never>; answer: Budget; error: 'rate_limited' | 'unauthenticated' };
  set_budget: {
    input: SetBudgetInput;
    answer: Budget;
    error: 'forbidden' | 'payload_too_large' | 'rate_limited' | 'unauthenticated' | 'unsupported_media_type';
  };
  get_costs: { input: GetCostsInput; answer: Costs; error: 'rate_limited' | 'unauthenticated' };
}
