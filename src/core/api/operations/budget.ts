import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { timeSchema } from '../primitives.ts';
import { budgetSchema, costGroupSchema, costsSchema, setBudgetSchema } from '../schemas/budget.ts';

const tag = 'budget';

/** Budgets, reservations and charges. */
export const budgetOperations = [
  defineOperation({
    id: 'get_budget',
    method: 'GET',
    path: '/v1/budget',
    tag,
    summary: 'Get the weekly budget cap, spending and reservations',
    role: 'viewer',
    success: { status: 200, schema: budgetSchema },
    errors: [],
  }),
  defineOperation({
    id: 'set_budget',
    method: 'PUT',
    path: '/v1/budget',
    tag,
    summary: 'Set or remove the weekly budget cap',
    description:
      'Queued work keeps its reservation. If the cap is below the amount already spent and reserved, new work is refused until enough budget is free.',
    role: 'admin',
    body: setBudgetSchema,
    success: { status: 200, schema: budgetSchema },
    errors: [],
  }),
  defineOperation({
    id: 'get_costs',
    method: 'GET',
    path: '/v1/costs',
    tag,
    summary: 'Get costs by layer, project, day or model',
    description:
      'Covers the last seven days unless `from` and `to` are given. Costs are measured, not estimates.',
    role: 'viewer',
    query: z.object({
      group_by: costGroupSchema.default('layer'),
      from: timeSchema.optional(),
      to: timeSchema.optional(),
    }),
    success: { status: 200, schema: costsSchema },
    errors: [],
  }),
] as const satisfies readonly Operation[];
