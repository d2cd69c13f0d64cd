import { z } from 'zod';
import { AssayError } from '#core';
import { type CurationResult, computePlanHash } from './run-plan.ts';

/** Content of a plan file: the result, the version of Assay and the source. */
export interface PlanFile extends CurationResult {
  readonly schema: 'assay/curation-plan/v1';
  readonly assay: string;
  readonly source: { readonly name: string; readonly settings_hash: string };
}

const decidedSchema = z.object({
  schema: z.literal('assay/curation-plan/v1'),
  plan: z.object({
    seed: z.number(),
    stages: z.array(z.object({ strategy: z.string(), parameters: z.record(z.string(), z.json()) })),
  }),
  input_hash: z.string(),
  kept: z.array(z.string()),
  dropped: z.array(z.object({ id: z.string(), stage: z.number(), strategy: z.string(), reason: z.string() })),
  trims: z.record(z.string(), z.object({ from_s: z.number(), to_s: z.number() })),
  boosts: z.record(z.string(), z.number()),
  plan_hash: z.string(),
});

/** Part of a plan file that an export needs: episodes to keep, to drop with reasons, to trim and to boost. */
export type DecidedPlan = z.infer<typeof decidedSchema>;

/**
 * Parses the text of a plan file; throws `unreadable_input` naming `path` if it is not one, and `verification_failed`
 * if its hash does not match.
 */
export function readPlanFile(text: string, path: string): DecidedPlan {
  const json = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  })();
  const read = decidedSchema.safeParse(json);
  if (!read.success)
    throw new AssayError('unreadable_input', `${path} is not a curation plan`, {
      path,
      advice: 'create one with: assay curate PATH --out FILE',
    });
  const { schema: _, plan_hash, ...decided } = read.data;
  if (computePlanHash(decided) !== plan_hash)
    throw new AssayError('verification_failed', `${path} was changed since its plan was computed`, {
      path,
      advice: 'run assay curate again',
    });
  return read.data;
}
