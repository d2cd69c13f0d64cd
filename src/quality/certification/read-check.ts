import type { z } from 'zod';
import type { Receipt } from '#core/api';
import type { CheckId } from '#quality/readiness';

/** What a check measured, as its receipt keeps it; or why there is nothing. */
export type CheckRead<Values> =
  | {
      readonly status: 'measured';
      readonly values: Values;
      /** What other episodes said of this one, by comparison. */
      readonly notes: Readonly<Record<string, unknown>>;
    }
  | { readonly status: 'absent'; readonly reason: string };

/** Reads a check's measurements out of a receipt. What a receipt of another version lacks is no evidence, and no fault. */
export function readCheck<Values>(
  { checks }: Receipt,
  id: CheckId,
  schema: z.ZodType<Values>,
): CheckRead<Values> {
  const component = checks.find((check) => check.id === id);
  if (component === undefined) return { status: 'absent', reason: `the receipt has no check ${id}` };
  if (component.status !== 'scored') return { status: 'absent', reason: component.reason };
  const read = schema.safeParse(component.inputs);
  if (read.success) return { status: 'measured', values: read.data, notes: component.compared ?? {} };
  return { status: 'absent', reason: `the receipt keeps other measurements of ${id}: assess again` };
}
