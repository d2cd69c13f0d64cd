import { z } from 'zod';
import {
  jobLayerIdSchema,
  layerIdSchema,
  layerModeSchema,
  modelSurfaceIdSchema,
} from '../annotation-layers.ts';
import { kindSchema } from '../kinds.ts';
import { computeDevices } from '../prices.ts';
import { idSchema, jsonSchema, scoreSchema, timeSchema } from '../primitives.ts';
import { actorIdSchema } from './tenancy.ts';

const count = z.int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** Quality of a layer's output, by the layer's own measure. */
const qualitySchema = z.strictObject({
  signal: z.string(),
  value: scoreSchema.nullable(),
  /** Reason why it could not be measured; `null` if it was. */
  reason: z.string().nullable(),
});

/** Selection of the layer and picture to draw. */
export const overlayQuery = z.strictObject({
  layer: layerIdSchema,
  t: z.coerce.number().default(0).meta({
    description:
      'Seconds since the start of the episode. Shows the last annotated frame at or before this time.',
  }),
  camera: z.string().min(1).max(1000).optional().meta({
    description: 'Id of the camera stream. Defaults to the first camera with annotations of this layer.',
  }),
  width_px: z.coerce.number().int().min(64).max(2048).default(640).meta({
    description: 'Width of the image in pixels. Smaller frames are enlarged.',
  }),
});

/** A model or an algorithm that took part in an annotation, as recorded when it ran. */
const modelUseSchema = z.strictObject({
  surface: modelSurfaceIdSchema,
  model: z.string(),
  /** ONNX Runtime, TensorFlow.js, an algorithm of this program, or a vision endpoint. */
  runtime: z.enum(['onnx', 'tfjs', 'algorithm', 'endpoint']),
  /** Device that ran it; `null` for a vision endpoint. */
  device: z.enum(computeDevices).nullable(),
  /** Files that were loaded, with the SHA-256 of their bytes; empty for algorithms and endpoints. */
  files: z.array(z.strictObject({ name: z.string(), sha256: digest })),
});
export type ModelUse = z.infer<typeof modelUseSchema>;

const annotationFacts = z.strictObject({
  id: idSchema('ann'),
  project_id: idSchema('prj'),
  episode_id: idSchema('ep'),
  layer: jobLayerIdSchema,
  job_id: idSchema('job'),
  run_id: idSchema('run').nullable(),
  /** Names of the models and algorithms that ran, separated by commas; `null` if none did. */
  model: z.string().nullable(),
  /** The models and algorithms that ran; empty for annotations of earlier versions, which did not record them. */
  models: z.array(modelUseSchema),
  /** Hash of the layer settings, the models that ran and the lane's version. */
  config_hash: digest,
  /** Hash of the inputs: the same inputs with the same configuration give the same artifact. */
  input_hash: digest,
  artifact_hash: digest,
  media_type: z.string(),
  bytes: count,
  /** Further parts of the annotation, such as masks or planes of numbers; each is read by its name. */
  parts: z.array(z.strictObject({ name: z.string(), media_type: z.string(), bytes: count, hash: digest })),
  counts: z.record(z.string(), z.number()),
  /**
   * Reason why the layer has no output for the episode, which then does not count as annotated; `null` if it has
   * output.
   */
  not_produced: z.string().nullable(),
  quality: qualitySchema,
  compute_s: z.number().nonnegative(),
  /** Device that ran the models. */
  device: z.enum(computeDevices),
  cost_usd: z.number().nonnegative(),
  produced_at: timeSchema,
});

const annotationSchema = annotationFacts
  .extend({
    /** The annotation; `null` if it is not JSON. */
    artifact: z.record(z.string(), jsonSchema).nullable(),
  })
  .meta({ id: 'Annotation' });
export type Annotation = z.infer<typeof annotationSchema>;

/** A person's correction of a generated text. */
export const annotationEditSchema = z
  .strictObject({
    id: idSchema('edt'),
    text: z.string(),
    /** Hash of the generated artifact that was corrected; `null` if there was none. */
    artifact_hash: digest.nullable(),
    created_by: actorIdSchema,
    created_at: timeSchema,
  })
  .meta({ id: 'AnnotationEdit' });
export type AnnotationEdit = z.infer<typeof annotationEditSchema>;

/** An episode’s annotation in one layer: the generated one and a person's correction of it. */
export const episodeAnnotationSchema = z
  .strictObject({
    episode_id: idSchema('ep'),
    layer: jobLayerIdSchema,
    /** Generated annotation; `null` if only a person wrote one. */
    machine: annotationSchema.nullable(),
    edit: annotationEditSchema.nullable(),
  })
  .meta({ id: 'EpisodeAnnotation' });
export type EpisodeAnnotation = z.infer<typeof episodeAnnotationSchema>;

/** A layer that an episode carries, without the artifact. */
export const episodeAnnotationSummarySchema = z
  .strictObject({
    episode_id: idSchema('ep'),
    layer: jobLayerIdSchema,
    /** Generated annotation; `null` if only a person wrote one. */
    machine: annotationFacts.nullable(),
    /** Correction; `null` if there is none. */
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
      'must not contain U+0000 or an unpaired surrogate',
    ),
  /** Id of the latest edit that the author saw, `null` if there was none; answered with 409 if there is a newer one. */
  over: idSchema('edt').nullable().optional(),
});

const layerStates = ['ran', 'partial', 'on_demand', 'off', 'inapplicable', 'planned'] as const;

const layerStatusSchema = z.strictObject({
  layer: layerIdSchema,
  state: z.enum(layerStates),
  /** Explanation of the status and of what would change it. */
  reason: z.string(),
  mode: layerModeSchema,
  /** Number of episodes with output of the layer. */
  covered_episodes: count,
  /** Number of processed episodes without output; the annotation of each gives the reason. */
  not_produced_episodes: count,
  applicable_episodes: count,
  /** True if the newest finished run executed it. */
  ran_in_last_run: z.boolean(),
  /** True if it can run here; otherwise `unavailable_reason` says why not. */
  available: z.boolean(),
  unavailable_reason: z.string().nullable(),
  /** Id of the queued or running job. */
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
            /** Reason why not; `null` if it is. */
            reason: z.string().nullable(),
            episodes: count,
            covered: count,
            /** Number of processed episodes without output; the annotation of each gives the reason. */
            not_produced: count,
            /** Share of the episodes that can carry it; `null` if none can. */
            coverage: scoreSchema.nullable(),
            /** Mean quality over the episodes for which it could be measured, and their number. */
            quality: scoreSchema.nullable(),
            /** Reason why there is no quality; `null` if there is. */
            quality_reason: z.string().nullable(),
            assessed: count,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'AnnotationCoverage' });
export type AnnotationCoverage = z.infer<typeof annotationCoverageSchema>;
