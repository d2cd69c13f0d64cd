import { bigserial, index, integer, jsonb, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core';
import type { ReadinessSettings } from '#contract';
import type { Finding, Kind } from '#episode';
import { at, createdAt, tenantId } from './columns.ts';

export type RunStatus =
  | 'queued'
  | 'running'
  | 'cancelling'
  | 'succeeded'
  /** Some episodes or files could not be judged; the rest was. */
  | 'partial'
  | 'failed'
  | 'cancelled';
export type RunStage = 'look' | 'measure' | 'compare' | 'judge' | 'report' | 'done';

export const runs = pgTable(
  'runs',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    source_id: text('source_id').notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    stage: text('stage').$type<RunStage>().notNull(),
    /** As resolved when the run was started; a later change of the project's settings does not touch it. */
    settings: jsonb('settings').$type<ReadinessSettings>().notNull(),
    kind: text('kind').$type<Kind>(),
    /** The plan that was shown, hashed, so that a start can say which plan it means. */
    plan: jsonb('plan').$type<Record<string, unknown>>().notNull(),
    plan_hash: text('plan_hash').notNull(),
    episodes_expected: integer('episodes_expected').notNull(),
    episodes_measured: integer('episodes_measured').notNull(),
    episodes_judged: integer('episodes_judged').notNull(),
    episodes_unreadable: integer('episodes_unreadable').notNull(),
    error: jsonb('error').$type<{ code: string; message: string; advice: string | null }>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    started_at: at('started_at'),
    finished_at: at('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('runs_project').on(t.tenant_id, t.project_id, t.id),
  ],
);

/** One dataset a run found under its source. */
export const runDatasets = pgTable(
  'run_datasets',
  {
    tenant_id: tenantId(),
    run_id: text('run_id').notNull(),
    place: integer('place').notNull(),
    path: text('path').notNull(),
    format: text('format').notNull(),
    /** What it was recognised as, to be opened again; facts; evidence. */
    claim: jsonb('claim').notNull(),
    facts: jsonb('facts').notNull(),
    evidence: jsonb('evidence').$type<string[]>().notNull(),
    kind: text('kind').$type<Kind>(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    findings: jsonb('findings').$type<Finding[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.run_id, t.place] })],
);

/** One unit of a run: measured by one worker, later judged by one; each commit is fenced by `attempt`. */
export const runUnits = pgTable(
  'run_units',
  {
    tenant_id: tenantId(),
    run_id: text('run_id').notNull(),
    place: integer('place').notNull(),
    dataset: integer('dataset').notNull(),
    unit: jsonb('unit').notNull(),
    state: text('state').$type<'waiting' | 'measured' | 'judged' | 'failed'>().notNull(),
    attempt: integer('attempt').notNull(),
    worker: text('worker'),
    episodes: integer('episodes').notNull(),
    /** Blob keys of what was measured and of the rows that comparisons read. */
    measured_blob: text('measured_blob'),
    shard_blob: text('shard_blob'),
    compute_s: real('compute_s').notNull(),
    error: jsonb('error').$type<{ code: string; message: string }>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.run_id, t.place] }),
    index('run_units_state').on(t.tenant_id, t.run_id, t.state),
  ],
);

/** What a run said on its way, for streams that resume; ids grow. */
export const runEvents = pgTable(
  'run_events',
  {
    id: bigserial('id', { mode: 'number' }).notNull(),
    tenant_id: tenantId(),
    run_id: text('run_id').notNull(),
    event: text('event').$type<'run' | 'progress' | 'finding'>().notNull(),
    data: jsonb('data').notNull(),
    at: at('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.run_id, t.id] }), index('run_events_id').on(t.id)],
);
