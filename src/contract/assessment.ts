import { z } from 'zod';
import { findingSchema, receiptSchema } from './receipt.ts';

/** What `assay assess PATH --json` prints. */
export const assessmentSchema = z.strictObject({
  dataset: z.strictObject({
    /** `mixed` when the folder holds several formats. */
    format: z.string(),
    episodes: z.int(),
    unreadable: z.int(),
    decisions: z.strictObject({ accept: z.int(), review: z.int(), reject: z.int() }),
    findings: z.array(findingSchema),
    parts: z.array(
      z.strictObject({
        path: z.string(),
        format: z.string(),
        evidence: z.array(z.string()),
        kind: z.string().nullable(),
        episodes: z.int(),
      }),
    ),
  }),
  receipts: z.array(receiptSchema),
});

export type Assessment = z.infer<typeof assessmentSchema>;
