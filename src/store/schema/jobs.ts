import type { JobLayerId } from '#core/api';
import {
  bigserial,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
} from '../drizzle.ts';
import { usd } from './budget.ts';
import { at, createdAt, tenantId } from './columns.ts';
import type { RunError } from './runs.ts';
import type { StoredEstimate } from './stored-estimate.ts';

export type JobStatus =
  | 'queued'
  | 'running'
  /** Being cancelled: results that workers have finished are still stored. */
  | 'cancelling'
  | 'succeeded'
  /** Some episodes could not be annotated. */
  | 'partial'
  | 'failed'
  | 'cancelled';

/**
 * Origin of a job: `queue`: requested for episodes of a project, one open job per layer; `run`: part of a run;
 * `episode`: requested for a single episode.
 */
export type JobOrigin = 'queue' | 'run' | 'episode';

/** A job that annotates episodes of a project in one layer. */
export const jobs = pgTable(
  'jobs',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    origin: text('origin').$type<JobOrigin>().notNull(),
    run_id: text('run_id'),
    status: text('status').$type<JobStatus>().notNull(),
    /** Effective layer settings, and their SHA-256 with lane version and model. */
    config: jsonb('config').$type<Readonly<Record<string, unknown>>>().notNull(),
    config_hash: text('config_hash').notNull(),
    model: text('model'),
    /** Also annotates episodes that are already annotated. */
    force: boolean('force').notNull(),
    total: integer('total').notNull(),
    done: integer('done').notNull(),
    failed: integer('failed').notNull(),
    skipped: integer('skipped').notNull(),
    /** Number of requested episodes if some are already annotated; null if all are annotated. */
    narrowed_from: integer('narrowed_from'),
    /** 1, plus 1 each time episodes are retried, after an error or by a process that takes over the job of another. */
    attempts: integer('attempts').notNull(),
    estimate_usd: usd('estimate_usd').notNull(),
    /** Estimated compute time, with the values that later estimates are matched by; null for jobs of older versions. */
    estimate: jsonb('estimate').$type<StoredEstimate>(),
    reservation_id: text('reservation_id'),
    reserved_usd: usd('reserved_usd').notNull(),
    /** Total measured compute time, and the part not yet charged. */
    compute_s: doublePrecision('compute_s').notNull(),
    uncharged_s: doublePrecision('uncharged_s').notNull(),
    price_usd_per_s: doublePrecision('price_usd_per_s').notNull(),
    /** Parts of `compute_s` and `uncharged_s` with models on an accelerator, which has its own price. */
    gpu_s: doublePrecision('gpu_s').notNull().default(0),
    uncharged_gpu_s: doublePrecision('uncharged_gpu_s').notNull().default(0),
    gpu_price_usd_per_s: doublePrecision('gpu_price_usd_per_s').notNull().default(0),
    /** Reason if models are not computed on the requested device. */
    device_note: text('device_note'),
    /** Tokens used of a vision endpoint, their cost, and the part not yet charged. */
    prompt_tokens: doublePrecision('prompt_tokens').notNull().default(0),
    completion_tokens: doublePrecision('completion_tokens').notNull().default(0),
    tokens_usd: doublePrecision('tokens_usd').notNull().default(0),
    uncharged_tokens_usd: doublePrecision('uncharged_tokens_usd').notNull().default(0),
    error: jsonb('error').$type<RunError>(),
    waiting: jsonb('waiting').$type<RunError>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    started_at: at('started_at'),
    progress_at: at('progress_at'),
    finished_at: at('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('jobs_project').on(t.tenant_id, t.project_id, t.id),
    index('jobs_measured')
      .on(t.tenant_id, t.finished_at)
      .where(sql`estimate IS NOT NULL AND status IN ('succeeded', 'partial')`),
    index('jobs_run').on(t.tenant_id, t.run_id).where(sql`run_id IS NOT NULL`),
    // Only few jobs are open.
    index('jobs_open')
      .on(t.tenant_id, t.project_id, t.layer)
      .where(sql`status IN ('queued', 'running', 'cancelling')`),
    // A second open job would annotate the same episodes.
    uniqueIndex('jobs_active')
      .on(t.tenant_id, t.project_id, t.layer)
      .where(sql`origin = 'queue' AND status IN ('queued', 'running', 'cancelling')`),
  ],
);

/**
 * An unfinished episode of a job. It is claimed by one worker at a time, and commits are fenced by attempt and worker.
 * Claims update rows in place, for which pages have free space (see the migrations).
 */
export const jobItems = pgTable(
  'job_items',
  {
    tenant_id: tenantId(),
    job_id: text('job_id').notNull(),
    place: integer('place').notNull(),
    episode_id: text('episode_id').notNull(),
    state: text('state').$type<'waiting' | 'failed' | 'skipped'>().notNull(),
    /** Number of attempts, and the worker of the last one. */
    attempt: integer('attempt').notNull().default(0),
    worker: text('worker'),
    /** Number of transient faults. */
    faults: integer('faults').notNull().default(0),
    /** Number of processes that died while annotating this episode, alone or with few others. */
    deaths: integer('deaths').notNull().default(0),
    /** Reason of its failure, or its last fault. */
    error: jsonb('error').$type<RunError>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.job_id, t.place] }),
    index('job_items_failed').on(t.tenant_id, t.job_id, t.place).where(sql`state = 'failed'`),
  ],
);

/**
 * Events of the jobs of a project, for streams that can be resumed; ids increase. Writers hold the event lock of the
 * project, so that events become visible in the order of their ids.
 */
export const jobEvents = pgTable(
  'job_events',
  {
    id: bigserial('id', { mode: 'number' }).notNull(),
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    job_id: text('job_id').notNull(),
    event: text('event').$type<'job' | 'progress'>().notNull(),
    data: jsonb('data').notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.project_id, t.id] }),
    index('job_events_job').on(t.tenant_id, t.job_id, t.id),
  ],
);
