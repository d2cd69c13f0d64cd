// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { GetCostsInput, SetBudgetInput } from '../types/budget-calls.ts';
import type { Budget, Costs } from '../types/budget.ts';

export const budget = ({ call }: Calls) => ({
  /**
   * Get the weekly budget cap, spending and reservations.
   *
   * Requires the role `viewer` or higher.
   */
  get: (options?: CallOptions): Promise<Budget> => call('get_budget', {}, options),

  /**
   * Set or remove the weekly budget cap.
   *
   * Queued work keeps its reservation. If the cap is below the amount already spent and reserved, new
   * work is refused until enough budget is free.
   *
   * Requires the role `admin` or higher.
   */
  set: (input: SetBudgetInput, options?: CallOptions): Promise<Budget> => call('set_budget', input, options),

  /**
   * Get costs by layer, project, day or model.
   *
   * Covers the last seven days unless `from` and `to` are given. Costs are measured, not estimates.
   *
   * Requires the role `viewer` or higher.
   */
  getCosts: (input: GetCostsInput = {}, options?: CallOptions): Promise<Costs> =>
    call('get_costs', input, options),
});
