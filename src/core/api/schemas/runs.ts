import { z } from 'zod';
import { layerIdSchema } from '../annotation-layers.ts';
import { kindSchema } from '../kinds.ts';
import { idSchema, timeSchema } from '../primitives.ts';
import { readinessSettingsSchema } from '../settings.ts';
import { setVerdictSchema } from './assessment.ts';
import { computeEstimateSchema } from './estimate.ts';
import { findingSchema } from './receipt.ts';
import { actorIdSchema } from './tenancy.ts';

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const usd = z.number().nonnegative();
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

export const runStatusSchema = z.enum(['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled']);
const runStageSchema = z.enum(['look', 'measure', 'compare', 'judge', 'annotate', 'done']);

/** Error that ended a run early or that it is waiting to retry after. */
export const workErrorSchema = z
  .strictObject({
    code: z.string(),
    message: z.string(),
    /** File or folder concerned, as named by its reader. */
    path: z.string().nullable(),
    advice: z.string().nullable(),
  })
  .meta({ id: 'RunError' });

/** An annotation layer that is part of a run. */
const runLayerSchema = z.strictObject({
  layer: layerIdSchema,
  /**
   * `skipped`: the budget was not sufficient. `inapplicable`: it applies to no episode of the run. `unavailable`:
   * this installation cannot run it.
   */
  status: z.enum([
    'waiting',
    'running',
    'succeeded',
    'partial',
    'failed',
    'cancelled',
    'skipped',
    'inapplicable',
    'unavailable',
  ]),
  /** Id of the job that runs it, or ran it last. */
  job_id: idSchema('job').nullable(),
  /** Reason why it did not succeed. */
  reason: z.string().nullable(),
  /** Compute time and cost, once the run has ended. */
  compute_s: seconds,
  cost_usd: usd,
});

export const runSchema = z
  .strictObject({
    id: idSchema('run'),
    project_id: idSchema('prj'),
    source_id: idSchema('src'),
    /** `rescore` re-evaluates the measurements of `base_run_id`. */
    type: z.enum(['assess', 'rescore']),
    base_run_id: idSchema('run').nullable(),
    status: runStatusSchema,
    stage: runStageSchema,
    /** Number of attempts: 1, plus 1 for each resume. */
    attempt: z.int().positive(),
    /** Settings at the start of the run. */
    settings: readinessSettingsSchema,
    kind_override: kindSchema.nullable(),
    /** Kind of most episodes, once all are judged. */
    kind: kindSchema.nullable(),
    /** Number of episodes by kind, most frequent first; empty until all are judged. */
    kinds: z.array(z.strictObject({ kind: kindSchema, episodes: count })),
    plan_hash: sha256Schema.nullable(),
    episodes: z.strictObject({ expected: count, measured: count, judged: count, unreadable: count }),
    decisions: z.strictObject({ accept: count, review: count, reject: count }),
    /** Verdict on all its recordings as a whole; `null` until all are judged, and for runs of older versions. */
    usability: setVerdictSchema.nullable(),
    /**
     * Titles of the loaders that judged its only dataset, such as `LeRobot v3.0`; `null` until all episodes are judged, with
     * several datasets, if no loader’s rules are known, and for runs of older versions.
     */
    loader: z.string().nullable(),
    /** `fetched`: bytes downloaded for it from an address; what was in the cache is not counted. */
    bytes: z.strictObject({ expected: count, measured: count, fetched: count }),
    /**
     * State of an `hf://` or `https://` source that it reads: the commit, else the SHA-256 of the listing; `null` for
     * other sources.
     */
    source_revision: z.string().nullable(),
    /** Annotation layers that were set to run within runs when it was started; a rescore has none. */
    layers: z.array(runLayerSchema),
    /** Compute time of workers in seconds and its cost by the price list; includes its layers once it has ended. */
    compute_s: seconds,
    cost_usd: usd,
    error: workErrorSchema.nullable(),
    waiting: workErrorSchema.nullable(),
    created_at: timeSchema,
    created_by: actorIdSchema,
    started_at: timeSchema.nullable(),
    finished_at: timeSchema.nullable(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof runSchema>;

/** Progress of a run's stage; sent a few times a second while it runs. */
const runProgressSchema = z
  .strictObject({
    run_id: idSchema('run'),
    stage: runStageSchema,
    /** Episodes of the stage; during annotation each counts once per layer. */
    done: count,
    total: count,
    bytes_done: count,
    bytes_total: count,
    /** Bytes downloaded from an address so far; 0 for other sources. */
    bytes_fetched: count,
    episodes_per_s: z.number().nonnegative(),
    /** Remaining time of the stage; `null` while unknown. */
    eta_s: seconds.nullable(),
  })
  .meta({ id: 'RunProgress' });
export type RunProgress = z.infer<typeof runProgressSchema>;

const plannedDatasetSchema = z.strictObject({
  path: z.string(),
  format: z.string(),
  version: z.string().nullable(),
  units: count,
  episodes: count,
  bytes: count,
  /** Camera streams whose images are decoded. */
  cameras: z.array(z.string()),
});

const plannedStepSchema = z.strictObject({
  id: z.enum(['look', 'measure', 'compare', 'judge', 'annotate']),
  title: z.string(),
  /** Description of what it reads and writes. */
  reads: z.string(),
  writes: z.string(),
  episodes: count,
  bytes: count,
});

export const runPlanSchema = z
  .strictObject({
    source_id: idSchema('src'),
    /**
     * Hash over everything that determines what the run does; sent with the start, it ensures that exactly this plan
     * is run.
     */
    plan_hash: sha256Schema,
    settings: readinessSettingsSchema,
    kind_override: kindSchema.nullable(),
    datasets: z.array(plannedDatasetSchema),
    steps: z.array(plannedStepSchema),
    /** Annotation layers that run within it, on the episodes that can carry them. */
    layers: z.array(layerIdSchema),
    units: count,
    episodes: count,
    bytes: count,
    /** Estimate including its layers. */
    estimate: z.strictObject({
      compute_s: seconds,
      low_s: seconds,
      high_s: seconds,
      cost_usd: usd,
      /** Measuring and evaluating, and each of the layers. */
      parts: z.array(
        z.strictObject({
          work: z.enum(['readiness', ...layerIdSchema.options]),
          ...computeEstimateSchema.shape,
          cost_usd: usd,
        }),
      ),
    }),
    findings: z.array(findingSchema),
  })
  .meta({ id: 'RunPlan' });
export type RunPlan = z.infer<typeof runPlanSchema>;

export const planRunSchema = z.strictObject({ source_id: idSchema('src') });

export const startRunSchema = z.strictObject({
  source_id: idSchema('src'),
  /** Plan hash from the preview; the start is refused if source or settings have changed since. */
  plan_hash: sha256Schema.optional(),
});

export const rescoreSchema = z.strictObject({
  /** Source; absent for every source of the project that has been assessed. */
  source_id: idSchema('src').optional(),
});

/** Events of `stream_run`. */
export const runEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('run'), data: runSchema }),
  z.strictObject({ event: z.literal('progress'), data: runProgressSchema }),
  z.strictObject({ event: z.literal('finding'), data: findingSchema }),
]);
