// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { GetCostsInput, SetBudgetInput } from '../types/budget-calls.ts';
import type { Budget, Costs } from '../types/budget.ts';

export const budget = ({ call }: Calls) => ({
  /**
   * Get the weekly cap, what was spent and what is reserved.
   *
   * Needs the role `viewer`.
   */
  get: (options?: CallOptions): Promise<Budget> => call('get_budget', {}, options),

  /**
   * Set or lift the weekly cap.
   *
   * Queued work keeps its reservation. A cap below what is spent and reserved stops new work until
   * enough is free.
   *
   * Needs the role `admin`.
   */
  set: (input: SetBudgetInput, options?: CallOptions): Promise<Budget> => call('set_budget', input, options),

  /**
   * Get costs by layer, project, day or model.
   *
   * Covers the last seven days unless `from` and `to` are given. Costs are measured, not estimated.
   *
   * Needs the role `viewer`.
   */
  getCosts: (input: GetCostsInput = {}, options?: CallOptions): Promise<Costs> =>
    call('get_costs', input, options),
});
