import { z } from 'zod';
import { jobLayerIdSchema } from '../../annotation-layers.ts';
import { computeDevices } from '../../prices.ts';
import { idSchema, timeSchema } from '../../primitives.ts';
import { workErrorSchema } from '../runs.ts';
import { actorIdSchema } from '../tenancy.ts';

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const usd = z.number().nonnegative();

export const jobStatusSchema = z.enum([
  'queued',
  'running',
  'cancelling',
  'succeeded',
  'partial',
  'failed',
  'cancelled',
]);

export const enqueueJobSchema = z.strictObject({
  layer: jobLayerIdSchema,
  /** Episodes to annotate; absent for every episode of the project that can carry the layer. */
  episode_ids: z.array(idSchema('ep')).min(1).max(10_000).optional(),
  /** Does episodes again that carry the layer already. */
  force: z.boolean().default(false),
  /** Knobs for this job alone, over the project’s; brought within range, never refused. */
  config: z.record(z.string(), z.unknown()).optional(),
});

const knobValue = z.union([z.number(), z.boolean(), z.string(), z.array(z.string())]);

export const jobSchema = z
  .strictObject({
    id: idSchema('job'),
    project_id: idSchema('prj'),
    layer: jobLayerIdSchema,
    status: jobStatusSchema,
    /** `queue`: asked for here; `run`: part of `run_id`; `episode`: somebody waited for one episode. */
    origin: z.enum(['queue', 'run', 'episode']),
    run_id: idSchema('run').nullable(),
    created_by: actorIdSchema,
    created_at: timeSchema,
    started_at: timeSchema.nullable(),
    finished_at: timeSchema.nullable(),
    episodes: z.strictObject({ total: count, done: count, failed: count, skipped: count }),
    /** The first of those that failed, each with the reason. */
    failures: z.array(z.strictObject({ episode_id: idSchema('ep'), error: workErrorSchema })),
    config: z.record(z.string(), knobValue),
    model: z.string().nullable(),
    force: z.boolean(),
    estimate_usd: usd,
    reserved_usd: usd,
    /** Cost so far, from measured compute time. */
    measured_usd: usd,
    compute_s: seconds,
    /** The same by where it was computed, as workers measured it, and what it cost there without tokens. */
    devices: z.array(z.strictObject({ device: z.enum(computeDevices), compute_s: seconds, cost_usd: usd })),
    /** Reason why the requested device is not used; `null` if it is. */
    device_note: z.string().nullable(),
    /** Tokens used by a vision endpoint. */
    prompt_tokens: z.int().nonnegative(),
    completion_tokens: z.int().nonnegative(),
    /** Number of requested episodes if some carry the layer already; `null` if all are annotated. */
    narrowed_from: count.nullable(),
    /** 1, and one more each time that episodes were tried again. */
    attempts: z.int().positive(),
    error: workErrorSchema.nullable(),
    waiting: workErrorSchema.nullable(),
    eta_s: seconds.nullable(),
  })
  .meta({ id: 'AnnotationJob' });
export type AnnotationJob = z.infer<typeof jobSchema>;

/** Preview of a job: what it would do and cost. Nothing is queued. */
export const jobPreviewSchema = z
  .strictObject({
    layer: jobLayerIdSchema,
    model: z.string().nullable(),
    config: z.record(z.string(), knobValue),
    episodes: count,
    /** Number of requested episodes if some carry the layer already; `null` if all are annotated. */
    narrowed_from: count.nullable(),
    estimate_usd: usd,
    /** The job of the layer that is queued or under way, which asking would give; null: a new one would be queued. */
    job_id: idSchema('job').nullable(),
  })
  .meta({ id: 'AnnotationJobPreview' });

const jobProgressSchema = z
  .strictObject({
    job_id: idSchema('job'),
    done: count,
    total: count,
    /** The episode that was finished last. */
    episode_id: idSchema('ep').nullable(),
    eta_s: seconds.nullable(),
  })
  .meta({ id: 'AnnotationJobProgress' });
export type AnnotationJobProgress = z.infer<typeof jobProgressSchema>;

/** Events of the stream of a project's jobs. */
export const jobEventSchema = z.discriminatedUnion('event', [
  /** Every job that has not ended. */
  z.strictObject({ event: z.literal('snapshot'), data: z.strictObject({ items: z.array(jobSchema) }) }),
  z.strictObject({ event: z.literal('job'), data: jobSchema }),
  z.strictObject({ event: z.literal('progress'), data: jobProgressSchema }),
  z.strictObject({ event: z.literal('heartbeat'), data: z.strictObject({ at: timeSchema }) }),
]);
