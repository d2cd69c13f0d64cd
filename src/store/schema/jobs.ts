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

export type JobStatus =
  | 'queued'
  | 'running'
  /** Being cancelled: what workers have finished is still taken. */
  | 'cancelling'
  | 'succeeded'
  /** Some episodes could not be annotated; the rest was. */
  | 'partial'
  | 'failed'
  | 'cancelled';

/**
 * Who asked: somebody for a project's episodes, one at a time for each layer; a run for its own; somebody who waits for
 * one episode.
 */
export type JobOrigin = 'queue' | 'run' | 'episode';

/** Work of one layer on some episodes of a project. */
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
    /** The knobs as they were in effect, and their SHA-256 with the lane's version and model. */
    config: jsonb('config').$type<Readonly<Record<string, unknown>>>().notNull(),
    config_hash: text('config_hash').notNull(),
    model: text('model'),
    /** Episodes that carry the layer already are done again. */
    force: boolean('force').notNull(),
    total: integer('total').notNull(),
    done: integer('done').notNull(),
    failed: integer('failed').notNull(),
    skipped: integer('skipped').notNull(),
    /** How many were asked for, where some of them carry the layer already; null: all are done. */
    narrowed_from: integer('narrowed_from'),
    /** 1, and one more each time that episodes are tried again. */
    attempts: integer('attempts').notNull(),
    estimate_usd: usd('estimate_usd').notNull(),
    reservation_id: text('reservation_id'),
    reserved_usd: usd('reserved_usd').notNull(),
    /** Of what workers measured: all, and what is not in the ledger yet. */
    compute_s: doublePrecision('compute_s').notNull(),
    uncharged_s: doublePrecision('uncharged_s').notNull(),
    price_usd_per_s: doublePrecision('price_usd_per_s').notNull(),
    /** Of `compute_s` and `uncharged_s`: with models on an accelerator, at a price of its own. */
    gpu_s: doublePrecision('gpu_s').notNull().default(0),
    uncharged_gpu_s: doublePrecision('uncharged_gpu_s').notNull().default(0),
    gpu_price_usd_per_s: doublePrecision('gpu_price_usd_per_s').notNull().default(0),
    /** What was to compute its models and does not, with the reason. */
    device_note: text('device_note'),
    /** Of a vision endpoint; what they cost, and what of that is not in the ledger yet. */
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
    index('jobs_run').on(t.tenant_id, t.run_id).where(sql`run_id IS NOT NULL`),
    // Few are open, however many there were.
    index('jobs_open')
      .on(t.tenant_id, t.project_id, t.layer)
      .where(sql`status IN ('queued', 'running', 'cancelling')`),
    // A second one would do the same episodes.
    uniqueIndex('jobs_active')
      .on(t.tenant_id, t.project_id, t.layer)
      .where(sql`origin = 'queue' AND status IN ('queued', 'running', 'cancelling')`),
  ],
);

/**
 * One episode of a job that is not done: claimed by one worker at a time; its commit is fenced by attempt and worker.
 * Claims change rows in place, for which their pages have room (see the migrations).
 */
export const jobItems = pgTable(
  'job_items',
  {
    tenant_id: tenantId(),
    job_id: text('job_id').notNull(),
    place: integer('place').notNull(),
    episode_id: text('episode_id').notNull(),
    state: text('state').$type<'waiting' | 'failed' | 'skipped'>().notNull(),
    /** How often it was begun, and who began it last. */
    attempt: integer('attempt').notNull().default(0),
    worker: text('worker'),
    /** How often it met a fault that may pass. */
    faults: integer('faults').notNull().default(0),
    /** How often a process died while it did this episode, alone or with few others. */
    deaths: integer('deaths').notNull().default(0),
    /** Why it failed, or what it met last. */
    error: jsonb('error').$type<RunError>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.job_id, t.place] }),
    index('job_items_failed').on(t.tenant_id, t.job_id, t.place).where(sql`state = 'failed'`),
  ],
);

/**
 * What jobs of a project said, for streams that resume; ids grow. Whoever adds a row holds the project's lock of events,
 * so that they become visible in the order of their ids.
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
