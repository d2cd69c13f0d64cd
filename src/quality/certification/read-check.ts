import type { z } from 'zod';
import type { Receipt } from '#core/api';
import type { CheckId } from '#quality/readiness';

/** Measurements of a check from a receipt, or the reason why there are none. */
export type CheckRead<Values> =
  | {
      readonly status: 'measured';
      readonly values: Values;
      /** Results of comparing this episode with the others of the set, by name. */
      readonly notes: Readonly<Record<string, unknown>>;
    }
  | { readonly status: 'absent'; readonly reason: string };

/**
 * Reads a check's measurements from a receipt; returns `absent` with the reason if the check is missing, was not
 * scored, or has measurements that do not fit the schema.
 */
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
  return {
    status: 'absent',
    reason: `the receipt has measurements of ${id} in another format: run the assessment again`,
  };
}
