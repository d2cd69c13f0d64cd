import { z } from 'zod';
import { kindSchema } from '../kinds.ts';
import { idSchema } from '../primitives.ts';
import { requirementIds, targetProfileIdSchema, useCaseIdSchema } from './use-cases.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);

const representations = ['absolute', 'step_delta', 'chunk_relative'] as const;
export type Representation = (typeof representations)[number];
const representation = z.enum([...representations, 'undetermined']);

/** Spaces that an action dimension moves in. `gripper`: anything that opens and closes, including dexterous hands; `base`: the whole robot. */
const actionSpaces = ['joint', 'end_effector', 'gripper', 'base', 'unknown'] as const;
export type ActionSpace = (typeof actionSpaces)[number];
const space = z.enum(actionSpaces);

const actionGroupSchema = z.strictObject({
  space,
  space_evidence: z.strictObject({
    evidence: z.enum(['declared', 'measured', 'unknown']),
    reason: z.string(),
  }),
  dimensions: z.array(z.strictObject({ stream: z.string(), dimension: count, name: z.string().nullable() })),
  representation,
  /** Most likely representation if the evidence is not sufficient; `null` otherwise. */
  leaning: z.enum(representations).nullable(),
  confidence: share,
  /** Share of the action's variance explained by each interpretation, averaged over the dimensions that move. */
  scores: z.strictObject({ absolute: share, step_delta: share, chunk_relative: share }),
  /** Lag of the state behind the action in rows and milliseconds, at the best fit. */
  lag_rows: count.nullable(),
  lag_ms: z.number().nullable(),
  /** Change of the state for one unit of the action, median over dimensions. */
  gain: z.number().nullable(),
  /** `as_state`: in the state’s own unit. `per_second`: a velocity. `scaled`: neither. */
  units: z.enum(['as_state', 'per_second', 'scaled']).nullable(),
  /** Reference that relative actions are counted from. */
  relative_to: z.enum(['measured_state', 'previous_target', 'start_of_chunk', 'start_of_episode']).nullable(),
  /** Chunk length if actions are relative to the first state of a chunk. */
  chunk_rows: count.nullable(),
  /**
   * Number of dimensions that could be compared with a state, that never move, and that have no corresponding state.
   */
  compared: count,
  still: count,
  alone: count,
  /** Sentences with the numbers. */
  evidence: z.array(z.string()),
});
export type ActionGroup = z.infer<typeof actionGroupSchema>;

const actionSpaceSchema = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('diagnosed'),
    /** Representation of the part that carries the motion; `mixed` if episodes or parts of it differ. */
    representation: z.enum([...representations, 'mixed', 'undetermined']),
    space,
    confidence: share,
    groups: z.array(actionGroupSchema),
    episodes: z.strictObject({
      looked_at: count,
      /** Number of episodes whose own interpretation agrees with the overall one. */
      agreeing: count,
      /** Number of episodes whose streams or dimensions differ from those of most. */
      other_layout: count,
      without_signals: count,
    }),
    findings: z.array(z.string()),
    /** Conversions of the actions to other representations. */
    conversions: z.array(
      z.strictObject({ to: z.enum(representations), lossless: z.boolean(), how: z.string() }),
    ),
  }),
  z.strictObject({ status: z.literal('not_assessable'), reason: z.string() }),
]);
export type ActionSpaceDiagnosis = z.infer<typeof actionSpaceSchema>;

const policyClasses = [
  'act',
  'diffusion_policy',
  'vla_finetuning',
  'bc_rnn',
  'action_conditioned_world_model',
  'video_world_model',
] as const;
export type PolicyClass = (typeof policyClasses)[number];

const citation = z.strictObject({
  authors: z.string(),
  year: z.int(),
  title: z.string(),
  /** Conference or journal; null if it appeared in none. */
  venue: z.string().nullable(),
  arxiv: z.string(),
  /** Relevant finding of the publication, summarised. */
  finding: z.string(),
});
export type Citation = z.infer<typeof citation>;

const candidate = z.strictObject({
  policy_class: z.enum(policyClasses),
  title: z.string(),
  /** Points for and against, as listed; no probability of success. */
  score: z.number(),
  for: z.array(z.string()),
  against: z.array(z.string()),
});
export type PolicyCandidate = z.infer<typeof candidate>;

const recommendationSchema = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('recommended'),
    policy_class: z.enum(policyClasses),
    title: z.string(),
    /** Lead of the best class over the next, from the available evidence. No policy was trained. */
    confidence: share,
    candidates: z.array(candidate),
    /** Settings to use when training it on these actions. */
    settings: z.array(z.string()),
    supporting: z.array(citation),
    disagreeing: z.array(citation),
  }),
  z.strictObject({ status: z.literal('not_applicable'), reason: z.string() }),
  z.strictObject({ status: z.literal('not_assessable'), reason: z.string() }),
]);
export type PolicyRecommendation = z.infer<typeof recommendationSchema>;

export const targetReadinessSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    use_case: useCaseIdSchema,
    target_profile: targetProfileIdSchema,
    data_kind: kindSchema.nullable(),
    /**
     * `ready`: every requirement is met. `not_ready`: a required one is not met. `needs_work`: only recommended ones
     * are not met.
     */
    verdict: z.enum(['ready', 'needs_work', 'not_ready', 'not_assessable']),
    requirements: z.array(
      z.strictObject({
        id: z.enum(requirementIds),
        level: z.enum(['required', 'helps']),
        status: z.enum(['met', 'not_met', 'not_assessable']),
        /** Explanation with the observed facts. */
        reason: z.string(),
        /** Reason why the target needs it. */
        why: z.string(),
      }),
    ),
    action_space: actionSpaceSchema,
    recommendation: recommendationSchema,
    /** Examined episodes: a sample of those that were not rejected, from each source in proportion to its size. */
    sample: z.strictObject({
      episodes: count,
      of: count,
      /** Content hash; equal if sample, profile and program version are equal. */
      content_hash: z.string(),
    }),
  })
  .meta({ id: 'TargetReadiness' });
export type TargetReadiness = z.infer<typeof targetReadinessSchema>;
