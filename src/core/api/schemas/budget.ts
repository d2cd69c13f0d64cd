import { z } from 'zod';
import { priceListSchema } from '../prices.ts';
import { timeSchema } from '../primitives.ts';

const usd = z.number();
/** Amount in USD, stored with six decimal places; `null` for no cap. */
const capSchema = z.number().nonnegative().max(1e9).nullable();

export const budgetSchema = z
  .strictObject({
    /** Maximum spending in any seven days; null for no cap. */
    cap_usd: capSchema,
    /** Amount charged in the last seven days. */
    spent_usd: usd,
    /** Amount reserved for queued and running work. */
    reserved_usd: usd,
    /** Amount that may still be reserved; `null` without a cap. */
    remaining_usd: usd.nullable(),
    window: z.strictObject({ days: z.int(), from: timeSchema, to: timeSchema }),
    /** Price list in effect. */
    prices: priceListSchema.optional(),
  })
  .meta({ id: 'Budget' });
export type Budget = z.infer<typeof budgetSchema>;

export const setBudgetSchema = z.strictObject({ cap_usd: capSchema });

export const costGroupSchema = z.enum(['layer', 'project', 'day', 'model']);

export const costsSchema = z
  .strictObject({
    group_by: costGroupSchema,
    window: z.strictObject({ from: timeSchema, to: timeSchema }),
    items: z.array(
      z.strictObject({
        /** Layer, project id, day (UTC) or model; null for costs without a model or project. */
        key: z.string().nullable(),
        amount_usd: usd,
        /** Measured cost beyond the cap, which was not charged. */
        waived_usd: usd,
        compute_s: z.number(),
        charges: z.int(),
      }),
    ),
    total_usd: usd,
  })
  .meta({ id: 'Costs' });
export type Costs = z.infer<typeof costsSchema>;
export type CostGroup = z.infer<typeof costGroupSchema>;
