import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { timeSchema } from '../primitives.ts';
import { budgetSchema, costGroupSchema, costsSchema, setBudgetSchema } from '../schemas/budget.ts';

const tag = 'budget';

/** What may be spent and what was. */
export const budgetOperations = [
  defineOperation({
    id: 'get_budget',
    method: 'GET',
    path: '/v1/budget',
    tag,
    summary: 'Gets the weekly cap, what was spent and what is put aside',
    role: 'viewer',
    success: { status: 200, schema: budgetSchema },
    errors: [],
  }),
  defineOperation({
    id: 'set_budget',
    method: 'PUT',
    path: '/v1/budget',
    tag,
    summary: 'Sets or lifts the weekly cap',
    description:
      'Work that is queued keeps what was put aside for it; a cap below that stops new work until enough is free.',
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
    summary: 'Gets what was spent, by layer, project, day or model',
    description:
      'Of the last seven days unless `from` and `to` say otherwise. As measured, not as estimated.',
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
