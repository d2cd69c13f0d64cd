import { z } from 'zod';
import { jobLayerIdSchema, layerIdSchema, layerModeSchema } from '../../annotation-layers.ts';
import { kindSchema } from '../../kinds.ts';
import { computeDevices } from '../../prices.ts';
import { idSchema, jsonSchema, scoreSchema, timeSchema } from '../../primitives.ts';
import { actorIdSchema } from '../tenancy.ts';

const count = z.int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** How good a layer’s output is, by its own signal. */
const qualitySchema = z.strictObject({
  signal: z.string(),
  value: scoreSchema.nullable(),
  /** Why it could not be told; null where it was. */
  reason: z.string().nullable(),
});

/** Which layer is drawn over which picture. */
export const overlayQuery = z.strictObject({
  layer: layerIdSchema,
  t: z.coerce.number().default(0).meta({
    description:
      'seconds since the start of the episode: the last picture at or before that the layer says something of is shown',
  }),
  camera: z.string().min(1).max(1000).optional().meta({
    description: 'id of the stream; absent: the first camera that the layer says something of',
  }),
  width_px: z.coerce.number().int().min(64).max(2048).default(640).meta({
    description: 'width of the picture; smaller pictures are enlarged to it',
  }),
});

const annotationFacts = z.strictObject({
  id: idSchema('ann'),
  project_id: idSchema('prj'),
  episode_id: idSchema('ep'),
  layer: jobLayerIdSchema,
  job_id: idSchema('job'),
  run_id: idSchema('run').nullable(),
  model: z.string().nullable(),
  /** Of the knobs, the model and the lane’s version. */
  config_hash: digest,
  /** Of what it was made from: with the same configuration it gives the same artifact. */
  input_hash: digest,
  artifact_hash: digest,
  media_type: z.string(),
  bytes: count,
  /** What lies beside it, such as masks or planes of numbers; each is read by its name. */
  parts: z.array(z.strictObject({ name: z.string(), media_type: z.string(), bytes: count, hash: digest })),
  counts: z.record(z.string(), z.number()),
  quality: qualitySchema,
  compute_s: z.number().nonnegative(),
  /** Where its models were computed. */
  device: z.enum(computeDevices),
  cost_usd: z.number().nonnegative(),
  produced_at: timeSchema,
});

const annotationSchema = annotationFacts
  .extend({
    /** What the layer says of the episode; null where that is no JSON. */
    artifact: z.record(z.string(), jsonSchema).nullable(),
  })
  .meta({ id: 'Annotation' });
export type Annotation = z.infer<typeof annotationSchema>;

/** What a person wrote in place of a machine’s text. */
export const annotationEditSchema = z
  .strictObject({
    id: idSchema('edt'),
    text: z.string(),
    /** The machine’s version that it was written over; null where there was none. */
    artifact_hash: digest.nullable(),
    created_by: actorIdSchema,
    created_at: timeSchema,
  })
  .meta({ id: 'AnnotationEdit' });
export type AnnotationEdit = z.infer<typeof annotationEditSchema>;

/** An episode’s annotation in one layer: the machine’s, and beside it what a person made of it. */
export const episodeAnnotationSchema = z
  .strictObject({
    episode_id: idSchema('ep'),
    layer: jobLayerIdSchema,
    /** Null where only a person wrote. */
    machine: annotationSchema.nullable(),
    edit: annotationEditSchema.nullable(),
  })
  .meta({ id: 'EpisodeAnnotation' });
export type EpisodeAnnotation = z.infer<typeof episodeAnnotationSchema>;

/** A layer that an episode carries, without what it says. */
export const episodeAnnotationSummarySchema = z
  .strictObject({
    episode_id: idSchema('ep'),
    layer: jobLayerIdSchema,
    /** Null where only a person wrote. */
    machine: annotationFacts.nullable(),
    /** Null where nobody wrote over it. */
    edited: annotationEditSchema.pick({ created_by: true, created_at: true }).nullable(),
    links: z.strictObject({ annotation: z.string() }),
  })
  .meta({ id: 'EpisodeAnnotationSummary' });
export type EpisodeAnnotationSummary = z.infer<typeof episodeAnnotationSummarySchema>;

export const annotateEpisodeSchema = z.strictObject({
  force: z.boolean().default(false),
  config: z.record(z.string(), z.unknown()).optional(),
});

export const editDenseTextSchema = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      'may not hold U+0000 or half a surrogate pair',
    ),
  /** The edit that was read before this was written, null where there was none; refused with 409 where another came since. */
  over: idSchema('edt').nullable().optional(),
});

const layerStates = ['ran', 'partial', 'on_demand', 'off', 'inapplicable', 'planned'] as const;

const layerStatusSchema = z.strictObject({
  layer: layerIdSchema,
  state: z.enum(layerStates),
  /** In words: why it is so, what would change it. */
  reason: z.string(),
  mode: layerModeSchema,
  covered_episodes: count,
  applicable_episodes: count,
  /** Whether the newest run that ended did it. */
  ran_in_last_run: z.boolean(),
  /** Whether it can be run here; why not, and what to do. */
  available: z.boolean(),
  unavailable_reason: z.string().nullable(),
  /** The job that is queued or under way. */
  job_id: idSchema('job').nullable(),
});

export const annotationStatusSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    episodes: count,
    last_run: z.strictObject({ id: idSchema('run'), finished_at: timeSchema }).nullable(),
    layers: z.array(layerStatusSchema),
  })
  .meta({ id: 'AnnotationStatus' });
export type AnnotationStatus = z.infer<typeof annotationStatusSchema>;

export const annotationCoverageSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    layers: z.array(
      z.strictObject({
        layer: layerIdSchema,
        quality_signal: z.string(),
        kinds: z.array(
          z.strictObject({
            kind: kindSchema,
            applicable: z.boolean(),
            /** Why not; null where it is. */
            reason: z.string().nullable(),
            episodes: count,
            covered: count,
            /** Of what can carry it; null where nothing can. */
            coverage: scoreSchema.nullable(),
            /** Mean of the signal over the episodes that let it be told, and how many these are. */
            quality: scoreSchema.nullable(),
            assessed: count,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'AnnotationCoverage' });
export type AnnotationCoverage = z.infer<typeof annotationCoverageSchema>;
