import { z } from 'zod';
import { exportFormatIds } from '../bounds/index.ts';
import { kindSchema } from '../kinds.ts';

export const useCaseIds = [
  'robotic-manipulation',
  'autonomous-driving',
  'drones-aerial',
  'vision-datasets',
  'spatial-world-models',
  'humanoids-mobile',
  'data-assessment',
] as const;
export type UseCaseId = (typeof useCaseIds)[number];

/** Former ids of use cases with their current ids. Former ids are accepted in every request. */
export const useCaseAliases = { 'data-certification': 'data-assessment' } as const satisfies Record<
  string,
  UseCaseId
>;
const aliases = Object.keys(useCaseAliases) as (keyof typeof useCaseAliases)[];

export const targetProfileIds = [
  'vla',
  'behaviour-cloning',
  'diffusion-policy',
  'world-model',
  'ssl-encoder',
  'detector',
] as const;
export type TargetProfileId = (typeof targetProfileIds)[number];

export { type ExportFormatId, exportFormatIds } from '../bounds/index.ts';

export const presetIds = [
  'readiness-only',
  'manipulation-qc',
  'egocentric-full',
  'drive-log-lite',
  'world-model',
  'everything',
] as const;

/** Requirements of targets on the data; each is evaluated by `GET /v1/projects/{project_id}/readiness/target`. */
export const requirementIds = [
  'kind',
  'accepted_episodes',
  'actions',
  'states',
  'cameras',
  'time',
  'instructions',
  'varied_instructions',
  'outcomes',
  'labels',
  'one_action_space',
] as const;
export type RequirementId = (typeof requirementIds)[number];

/** Steps of a target's pipeline from recordings to training data. */
const pipelineStepIds = [
  'read',
  'readiness',
  'action_space',
  'annotate',
  'deduplicate',
  'split',
  'statistics',
  'export',
] as const;

export const useCaseIdSchema = z.enum(useCaseIds).meta({ id: 'UseCaseId' });
/** Use case in a request: its id or a former id. */
export const useCaseInputSchema = z.enum([...useCaseIds, ...aliases]).meta({ id: 'UseCaseName' });
export const targetProfileIdSchema = z.enum(targetProfileIds).meta({ id: 'TargetProfileId' });

const noun = z.strictObject({ one: z.string(), many: z.string() });
const fits = {
  fits: z.boolean(),
  /** Reason why it does not fit; `null` if it fits. */
  reason: z.string().nullable(),
};

export const useCaseSchema = z
  .strictObject({
    id: useCaseIdSchema,
    aliases: z.array(z.string()),
    title: z.string(),
    summary: z.string(),
    /** Nouns that the screens use. */
    nouns: z.strictObject({
      recording: noun,
      episode: noun,
      machine: noun,
      operator: noun,
      task: noun,
      outcome: noun,
    }),
    /** Kinds of data that are usual for the use case. */
    expected_kinds: z.array(kindSchema),
    target_profiles: z.array(
      z.strictObject({
        id: targetProfileIdSchema,
        title: z.string(),
        applicable: z.boolean(),
        recommended: z.boolean(),
        reason: z.string(),
      }),
    ),
    source_formats: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        /** True if this version of the program reads it. */
        readable: z.boolean(),
        ...fits,
      }),
    ),
    export_formats: z.array(z.strictObject({ id: z.enum(exportFormatIds), title: z.string(), ...fits })),
    /** Factors on the default weights of checks, applied to every project that sets none of its own. */
    readiness_emphasis: z.array(
      z.strictObject({ check: z.string(), weight_factor: z.number(), reason: z.string() }),
    ),
    /** Costly annotations that every run computes unless settings disable them. */
    capabilities: z.strictObject({
      hand_pose: z.strictObject({ requested: z.boolean(), reason: z.string() }),
      dense_text: z.strictObject({ requested: z.boolean(), reason: z.string() }),
    }),
    presets: z.array(z.enum(presetIds)),
    /** The presets with their descriptions. */
    preset_details: z.array(
      z.strictObject({ id: z.enum(presetIds), title: z.string(), summary: z.string() }),
    ),
  })
  .meta({ id: 'UseCase' });
export type UseCase = z.infer<typeof useCaseSchema>;

export const targetProfileSchema = z
  .strictObject({
    id: targetProfileIdSchema,
    title: z.string(),
    summary: z.string(),
    /** Kinds of data that it can be trained on. */
    kinds: z.array(kindSchema),
    pipeline_steps: z.array(
      z.strictObject({
        id: z.enum(pipelineStepIds),
        /** Annotation layers that the step runs. */
        layers: z.array(z.string()),
        why: z.string(),
      }),
    ),
    export_format: z.enum(exportFormatIds),
    requirements: z.array(
      z.strictObject({ id: z.enum(requirementIds), level: z.enum(['required', 'helps']), why: z.string() }),
    ),
    /** True if actions are learned, so that their representation matters. */
    learns_actions: z.boolean(),
  })
  .meta({ id: 'TargetProfile' });
export type TargetProfile = z.infer<typeof targetProfileSchema>;
