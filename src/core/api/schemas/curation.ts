import { z } from 'zod';
import { idSchema, jsonSchema, nameSchema, scoreSchema, timeSchema } from '../primitives.ts';

const count = z.int().nonnegative();
const parameters = z.record(z.string().max(100), jsonSchema);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** Curation strategy, as listed in the catalogue. */
export const curationStrategySchema = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    /** Description with the formula. */
    about: z.string(),
    /** Source of the method; `null` if the formula is its own explanation. */
    source: z.string().nullable(),
    /** Data it needs besides decision, score, flags and duration; any one of them suffices. */
    needs: z.array(z.string()),
    /** JSON Schema: names, ranges and defaults. */
    parameters: z.record(z.string(), jsonSchema),
  })
  .meta({ id: 'CurationStrategy' });

/** Stages in order, without `held_out`, which the service adds. Omitted parameters have their defaults. */
const planMembers = {
  /** The same episodes, stages and seed give the same plan hash. */
  seed: z.int().min(0).max(0xffffffff).optional(),
  stages: z
    .array(z.strictObject({ strategy: z.string().max(100), parameters: parameters.optional() }))
    .min(1)
    .max(30),
};
export const curationPlanInputSchema = z.strictObject(planMembers).meta({ id: 'CurationPlanInput' });

export const applyCurationSchema = z.strictObject({
  ...planMembers,
  name: nameSchema.optional(),
  /** Plan hash of the preview; if the episodes have changed since, nothing is stored. */
  expected_plan_hash: digest.optional(),
});

/** Request to apply a single strategy. */
export const curateSchema = z.strictObject({
  strategy: z.string().max(100),
  parameters: parameters.optional(),
  seed: planMembers.seed,
  name: nameSchema.optional(),
});

const part = z.strictObject({ value: z.string().nullable(), episodes: count, duration_s: z.number() });
const coverage = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('measured'),
    /** Number of cells of the whole set that these episodes visit, and their total. */
    covered: count,
    of: count,
    share: scoreSchema,
    /** Number of episodes that have the counted property. */
    episodes: count,
  }),
  z.strictObject({ status: z.literal('not_assessable'), reason: z.string() }),
]);

export const compositionSchema = z
  .strictObject({
    episodes: count,
    duration_s: z.number(),
    by_decision: z.array(part),
    by_task: z.array(part),
    by_robot: z.array(part),
    by_operator: z.array(part),
    by_outcome: z.array(part),
    by_duration: z.array(z.strictObject({ from_s: z.number(), to_s: z.number(), episodes: count })),
    action_coverage: coverage,
    scene_coverage: coverage,
    /** Number of values beyond the fifty most frequent, which are not listed. */
    unlisted_values: count,
  })
  .meta({ id: 'Composition' });

const stageReport = z.strictObject({
  stage: z.int().positive(),
  strategy: z.string(),
  parameters: z.record(z.string(), jsonSchema),
  looked_at: count,
  dropped: count,
  /** Number of episodes without the data that the stage needs; they are kept. */
  not_assessable: count,
  trimmed: count,
  boosted: count,
  reasons: z.array(z.strictObject({ reason: z.string(), episodes: count })),
});

const resultMembers = {
  plan: z.strictObject({
    seed: count,
    stages: z.array(z.strictObject({ strategy: z.string(), parameters: z.record(z.string(), jsonSchema) })),
  }),
  /** SHA-256 over all facts of the episodes that the plan uses. */
  input_hash: digest,
  /** SHA-256 of the canonical JSON of plan, input hash and the outcome of every episode. */
  plan_hash: digest,
  stages: z.array(stageReport),
  before: compositionSchema,
  after: compositionSchema,
  kept: z.array(z.string()),
  dropped: z.array(
    z.strictObject({ id: z.string(), stage: z.int().positive(), strategy: z.string(), reason: z.string() }),
  ),
  /** Spans that remain of trimmed episodes, by id. */
  trims: z.record(z.string(), z.strictObject({ from_s: z.number(), to_s: z.number() })),
  /** Sampling weights above 1, by id. */
  boosts: z.record(z.string(), z.number()),
};
export const curationResultSchema = z.strictObject(resultMembers).meta({ id: 'CurationResult' });

const storedMembers = {
  id: idSchema('cur'),
  project_id: idSchema('prj'),
  name: z.string(),
  created_at: timeSchema,
  created_by: z.string(),
};
export const curationPlanSchema = z
  .strictObject({ ...storedMembers, ...resultMembers })
  .meta({ id: 'CurationPlan' });

export const curationPlanSummarySchema = z
  .strictObject({
    ...storedMembers,
    plan: resultMembers.plan,
    plan_hash: digest,
    input_hash: digest,
    episodes_kept: count,
    episodes_dropped: count,
  })
  .meta({ id: 'CurationPlanSummary' });

export const curationRecommendationSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    target_profile: z.string(),
    /** Plan in the form that `preview` and `apply` accept. */
    plan: curationPlanInputSchema,
    /** One for each stage, in order. */
    reasons: z.array(z.strictObject({ strategy: z.string(), reason: z.string() })),
    /** Strategies that were considered but not recommended, with the reason. */
    not_recommended: z.array(z.strictObject({ strategy: z.string(), reason: z.string() })),
  })
  .meta({ id: 'CurationRecommendation' });

export type ApplyCuration = z.infer<typeof applyCurationSchema>;
export type CurationPlanInput = z.infer<typeof curationPlanInputSchema>;
export type CurationPlan = z.infer<typeof curationPlanSchema>;
export type CurationPlanSummary = z.infer<typeof curationPlanSummarySchema>;
export type CurationStrategy = z.infer<typeof curationStrategySchema>;
export type CurationRecommendation = z.infer<typeof curationRecommendationSchema>;
export type CurationReport = z.infer<typeof curationResultSchema>;
