import { z } from 'zod';
import { idSchema, scoreSchema } from '../primitives.ts';
import { compositionSchema, curationPlanInputSchema } from './curation.ts';
import { requirementIds, targetProfileIdSchema } from './use-cases.ts';

const count = z.int().nonnegative();
const checkShare = z.strictObject({
  id: z.string(),
  /** Number of receipts examined. */
  scored: count,
  inapplicable: count,
  not_assessable: count,
  disabled: count,
  /** Mean over the receipts in which it was scored; `null` if there is none. */
  mean_score: scoreSchema.nullable(),
});
const view = z.strictObject({
  /** Mean over the receipts that have this score; `null` if none has. */
  score: scoreSchema.nullable(),
  checks: z.array(checkShare),
});
const measured = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('measured'), value: z.number() }),
  z.strictObject({ status: z.literal('not_assessable'), reason: z.string() }),
]);

export const utilitySchema = z
  .strictObject({
    project_id: idSchema('prj'),
    target_profile: targetProfileIdSchema,
    /** Scores of the checks of correct capture. */
    integrity: view,
    /** Scores of the checks of texts and labels. The proxy metrics are only indirect signs of meaning. */
    semantic: z.strictObject({
      ...view.shape,
      proxy_metrics: z.array(z.strictObject({ id: z.string(), about: z.string(), result: measured })),
    }),
    /** Signals that the training target needs; without a score, because nothing was trained. */
    utility: z.strictObject({
      signals: z.array(
        z.strictObject({
          id: z.enum(requirementIds),
          level: z.enum(['required', 'helps']),
          why: z.string(),
          status: z.enum(['met', 'not_met', 'not_assessable']),
          reason: z.string(),
        }),
      ),
      limits: z.array(z.string()),
    }),
    /** Receipts over which the means of integrity and semantic are computed. */
    sample: z.strictObject({ episodes: count, of: count }),
  })
  .meta({ id: 'Utility' });

export const ablationInputSchema = z.strictObject({
  /** Plan of the curated subset; absent for the plan that `recommend` returns. */
  plan: curationPlanInputSchema.optional(),
  /** Id of an applied plan, instead of `plan`. */
  plan_id: idSchema('cur').optional(),
});

export const ablationSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    subsets: z.array(
      z.strictObject({
        id: z.enum(['raw', 'readiness_filtered', 'curated']),
        /** Explanation of how it was chosen. */
        how: z.string(),
        composition: compositionSchema,
      }),
    ),
    plan_hash: z.string(),
    /** States that no trained policies were compared, which only a probe does, on request. */
    probe: z.strictObject({ status: z.literal('not_run'), reason: z.string(), advice: z.string() }),
    limits: z.array(z.string()),
  })
  .meta({ id: 'Ablation' });

const numberPair = z.tuple([z.number(), z.number()]);
const policyId = z.enum(['ridge', 'nearest_neighbours']);
const subsetId = z.enum(['raw', 'accepted', 'curated']);

export const probeInputSchema = z.strictObject({
  ...ablationInputSchema.shape,
  /** The same seed gives the same folds and intervals. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0),
  /** Number of folds for cross-validation on the accepted episodes. */
  folds: z.int().min(2).max(10).default(5),
  /** Number of state rows that a policy gets: the current one and earlier sampled ones. */
  window: z.int().min(1).max(4).default(1),
});

const probeLimitsSchema = z.array(z.string()).meta({ description: 'Limitations of this result.' });
const notAssessable = z.strictObject({ status: z.literal('not_assessable'), reason: z.string() });
const measuredProbe = z.strictObject({
  status: z.literal('measured'),
  seed: count,
  folds: count,
  window_rows: count,
  state_dims: count,
  action_dims: count,
  /** Number of action dimensions that vary. */
  compared_dims: count,
  held_out: z.strictObject({ episodes: count, pairs: count, why: z.string() }),
  policies: z.array(z.strictObject({ id: policyId, about: z.string() })),
  subsets: z.array(
    z.strictObject({
      id: subsetId,
      /** Explanation of how it was chosen. */
      how: z.string(),
      episodes: count,
      left_out: z.array(z.strictObject({ reason: z.string(), episodes: count })),
      /** Size of the smallest training fold. */
      training: z.strictObject({ episodes: count, pairs: count }),
      outcome: z.discriminatedUnion('status', [
        z.strictObject({
          status: z.literal('measured'),
          /** Squared error relative to the variance of the held-out actions, with a 95 % interval by bootstrap. */
          policies: z.array(z.strictObject({ policy: policyId, error: z.number(), interval: numberPair })),
        }),
        notAssessable,
      ]),
    }),
  ),
  comparisons: z.array(
    z.strictObject({
      policy: policyId,
      subset: subsetId,
      against: subsetId,
      /** Difference of the errors; negative if `subset` predicts better. */
      difference: z.strictObject({ value: z.number(), interval: numberPair }),
      intervals_overlap: z.boolean(),
      in_words: z.string(),
    }),
  ),
  limits: probeLimitsSchema,
});

export const probeSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    result: z.discriminatedUnion('status', [
      measuredProbe,
      z.strictObject({ ...notAssessable.shape, limits: probeLimitsSchema }),
    ]),
  })
  .meta({ id: 'Probe' });

const gapAspects = ['task', 'robot', 'duration', 'action_region', 'scene', 'phase'] as const;

export const distributionGapSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    /** Expected count per part: a declared number of episodes, or an even spread over the set. */
    expected: z.strictObject({ by: z.enum(['declared', 'own_spread']), how: z.string() }),
    /** Gaps, those with the largest missing share first. */
    gaps: z.array(
      z.strictObject({
        rank: z.int().positive(),
        aspect: z.enum(gapAspects),
        /** The value, or the range in words. */
        part: z.string(),
        episodes: z.number(),
        expected_episodes: z.number(),
        /** Share of the expected episodes that are missing, 0 to 1. */
        missing_share: scoreSchema,
      }),
    ),
    /** Aspects without gaps. */
    covered: z.array(z.enum(gapAspects)),
    not_assessable: z.array(z.strictObject({ aspect: z.enum(gapAspects), reason: z.string() })),
    episodes: count,
    limits: z.array(z.string()),
  })
  .meta({ id: 'DistributionGap' });

export type Utility = z.infer<typeof utilitySchema>;
export type AblationInput = z.infer<typeof ablationInputSchema>;
export type Ablation = z.infer<typeof ablationSchema>;
export type ProbeInput = z.infer<typeof probeInputSchema>;
export type Probe = z.infer<typeof probeSchema>;
export type DistributionGap = z.infer<typeof distributionGapSchema>;
