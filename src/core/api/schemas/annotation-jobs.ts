import { z } from 'zod';
import { jobLayerIdSchema } from '../annotation-layers.ts';
import { computeDevices } from '../prices.ts';
import { idSchema, timeSchema } from '../primitives.ts';
import { computeEstimateSchema } from './estimate.ts';
import { workErrorSchema } from './runs.ts';
import { actorIdSchema } from './tenancy.ts';

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
  /** Also annotates episodes that already have the layer. */
  force: z.boolean().default(false),
  /**
   * Layer settings for this job alone; they override the project’s. Values out of range are clamped, invalid ones
   * ignored.
   */
  config: z.record(z.string(), z.unknown()).optional(),
});

const knobValue = z.union([z.number(), z.boolean(), z.string(), z.array(z.string())]);

export const jobSchema = z
  .strictObject({
    id: idSchema('job'),
    project_id: idSchema('prj'),
    layer: jobLayerIdSchema,
    status: jobStatusSchema,
    /**
     * `queue`: queued by request. `run`: started by the run `run_id`. `episode`: requested for one episode, by a
     * client that waits.
     */
    origin: z.enum(['queue', 'run', 'episode']),
    run_id: idSchema('run').nullable(),
    created_by: actorIdSchema,
    created_at: timeSchema,
    started_at: timeSchema.nullable(),
    finished_at: timeSchema.nullable(),
    episodes: z.strictObject({ total: count, done: count, failed: count, skipped: count }),
    /** First failed episodes, each with its error. */
    failures: z.array(z.strictObject({ episode_id: idSchema('ep'), error: workErrorSchema })),
    config: z.record(z.string(), knobValue),
    model: z.string().nullable(),
    force: z.boolean(),
    /** Estimated compute time, as of its creation; `null` for jobs of older versions. */
    estimate: computeEstimateSchema.nullable(),
    estimate_usd: usd,
    reserved_usd: usd,
    /** Cost so far, from measured compute time. */
    measured_usd: usd,
    compute_s: seconds,
    /** Compute time and its cost by device, as measured by workers; tokens are not included. */
    devices: z.array(z.strictObject({ device: z.enum(computeDevices), compute_s: seconds, cost_usd: usd })),
    /** Reason why the requested device is not used; `null` if it is. */
    device_note: z.string().nullable(),
    /** Tokens used by a vision endpoint. */
    prompt_tokens: z.int().nonnegative(),
    completion_tokens: z.int().nonnegative(),
    /** Number of requested episodes if some already have the layer and are skipped; `null` if none is skipped. */
    narrowed_from: count.nullable(),
    /** Number of attempts: 1, plus 1 for each retry of episodes after a fault, and for each restart of the service. */
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
    /** Number of requested episodes if some already have the layer and are skipped; `null` if none is skipped. */
    narrowed_from: count.nullable(),
    /** Estimated compute time; `null` for an open job of an older version. */
    estimate: computeEstimateSchema.nullable(),
    estimate_usd: usd,
    /**
     * Id of the layer's queued or running job, which would be returned instead of queuing another; null if there is
     * none.
     */
    job_id: idSchema('job').nullable(),
  })
  .meta({ id: 'AnnotationJobPreview' });

const jobProgressSchema = z
  .strictObject({
    job_id: idSchema('job'),
    done: count,
    total: count,
    /** Id of the last finished episode. */
    episode_id: idSchema('ep').nullable(),
    eta_s: seconds.nullable(),
  })
  .meta({ id: 'AnnotationJobProgress' });
export type AnnotationJobProgress = z.infer<typeof jobProgressSchema>;

/** Events of the stream of a project's jobs. */
export const jobEventSchema = z.discriminatedUnion('event', [
  /** All queued and running jobs. */
  z.strictObject({ event: z.literal('snapshot'), data: z.strictObject({ items: z.array(jobSchema) }) }),
  z.strictObject({ event: z.literal('job'), data: jobSchema }),
  z.strictObject({ event: z.literal('progress'), data: jobProgressSchema }),
  z.strictObject({ event: z.literal('heartbeat'), data: z.strictObject({ at: timeSchema }) }),
]);
