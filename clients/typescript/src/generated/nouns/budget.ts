// Written by `npm run generate` from src/contract. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { GetCostsInput, SetBudgetInput } from '../types/budget-calls.ts';
import type { Budget, Costs } from '../types/budget.ts';

export const budget = ({ call }: Calls) => ({
  /**
   * Gets the weekly cap, what was spent and what is put aside.
   *
   * Needs the role `viewer`.
   */
  get: (options?: CallOptions): Promise<Budget> => call('get_budget', {}, options),

  /**
   * Sets or lifts the weekly cap.
   *
   * Work that is queued keeps what was put aside for it; a cap below that stops new work until enough is
   * free.
   *
   * Needs the role `admin`.
   */
  set: (input: SetBudgetInput, options?: CallOptions): Promise<Budget> => call('set_budget', input, options),

  /**
   * Gets what was spent, by layer, project, day or model.
   *
   * Of the last seven days unless `from` and `to` say otherwise. As measured, not as estimated.
   *
   * Needs the role `viewer`.
   */
  getCosts: (input: GetCostsInput = {}, options?: CallOptions): Promise<Costs> =>
    call('get_costs', input, options),
});
