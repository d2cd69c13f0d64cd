import { z } from 'zod';
import { priceListSchema } from '../prices.ts';
import { timeSchema } from '../primitives.ts';

const usd = z.number();
/** Kept to six places. */
const capSchema = z.number().nonnegative().max(1e9).nullable();

export const budgetSchema = z
  .strictObject({
    /** Most that may be spent in any seven days; null: no cap. */
    cap_usd: capSchema,
    /** Charged in the last seven days. */
    spent_usd: usd,
    /** Put aside for work that is queued or under way. */
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
        /** The layer, project id, day (UTC) or model; null where no model was used, or for no project. */
        key: z.string().nullable(),
        amount_usd: usd,
        /** Measured beyond the cap and not charged. */
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
