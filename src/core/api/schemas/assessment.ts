import { z } from 'zod';
import { findingSchema, receiptSchema } from './receipt.ts';

/**
 * What could not be measured on this machine at this time. It says nothing of the recording: no receipt is made of its
 * dataset, whose episodes are compared with each other, until a later assessment has measured all of it.
 */
export const incompleteSchema = z.strictObject({
  /** The file or folder it happened at, as seen from the path assessed. */
  path: z.string().nullable(),
  /** Id of the episode; `null` if unknown. */
  episode: z.string().nullable(),
  /** Episodes that are not measured for it, as many as were expected. */
  episodes: z.int(),
  reason: z.string(),
  advice: z.string(),
});

export type Incomplete = z.infer<typeof incompleteSchema>;

/** Output of `assay assess PATH --json`. */
export const assessmentSchema = z.strictObject({
  dataset: z.strictObject({
    /** `mixed` when the folder holds several formats. */
    format: z.string(),
    episodes: z.int(),
    unreadable: z.int(),
    /** Settings of the assessment; equal hashes mean equal settings. */
    settings: z.strictObject({ name: z.enum(['default', 'changed']), hash: z.string() }),
    decisions: z.strictObject({ accept: z.int(), review: z.int(), reject: z.int() }),
    findings: z.array(findingSchema),
    /** Empty where everything was measured; else the command exits with 4 and can be run again. */
    incomplete: z.array(incompleteSchema),
    parts: z.array(
      z.strictObject({
        path: z.string(),
        format: z.string(),
        evidence: z.array(z.string()),
        kind: z.string().nullable(),
        episodes: z.int(),
        /** Whether the format's own reader opens it and serves every row rightly; null: nobody knows its rules here. */
        loads: z
          .strictObject({
            reader: z.string(),
            loads: z.enum(['yes', 'no']),
            why: z.array(
              z.strictObject({ rule: z.string(), does: z.string(), episodes: z.int().nullable() }),
            ),
          })
          .nullable(),
      }),
    ),
  }),
  receipts: z.array(receiptSchema),
});

export type Assessment = z.infer<typeof assessmentSchema>;
