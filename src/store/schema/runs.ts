import type { LayerId, ReadinessSettings } from '#core/api';
import type { Finding, Kind } from '#core/episode';
import {
  bigint,
  bigserial,
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
import { at, createdAt, tenantId } from './columns.ts';

export type RunStatus =
  /** Nobody has begun. */
  | 'queued'
  | 'running'
  | 'succeeded'
  /** Some episodes or files could not be judged; the rest was. */
  | 'partial'
  /** Ended before its end, for the reason in `error`; can be resumed. */
  | 'failed'
  | 'cancelled';
export type RunStage = 'look' | 'measure' | 'compare' | 'judge' | 'annotate' | 'done';
/** `rescore` judges what an earlier run measured, under the settings of now. */
export type RunType = 'assess' | 'rescore';

/** Why a run stands still or ended early. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  /** The file or folder concerned, as its reader names it. */
  readonly path: string | null;
  readonly advice: string | null;
}

/** Notes of some comparisons: `header` bytes of JSON say where those of each unit lie. */
export interface NotesBlob {
  readonly key: string;
  readonly header: number;
}

export type RunLayerStatus =
  /** No job is open for it yet. */
  | 'waiting'
  | 'running'
  | 'succeeded'
  /** Some episodes could not be annotated. */
  | 'partial'
  | 'failed'
  | 'cancelled'
  /** The budget left no room for it. */
  | 'skipped'
  /** No episode of the run can carry it. */
  | 'inapplicable'
  /** Nothing here runs it. */
  | 'unavailable';

/** An annotation layer that is part of a run. */
export interface RunLayer {
  readonly layer: LayerId;
  /** The knobs, as they were when the run was started. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly status: RunLayerStatus;
  /** The jobs that did it, since its episodes were judged; the newest last. */
  readonly jobs: readonly string[];
  /** Why it did not succeed. */
  readonly reason: string | null;
  /** What its jobs took and cost, once the run has ended. */
  readonly compute_s: number;
  readonly cost_usd: number;
}

export const runs = pgTable(
  'runs',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    source_id: text('source_id').notNull(),
    type: text('type').$type<RunType>().notNull(),
    /** The run whose measurements a rescore judges. */
    base_run_id: text('base_run_id'),
    status: text('status').$type<RunStatus>().notNull(),
    stage: text('stage').$type<RunStage>().notNull(),
    /** One more each time it is resumed; jobs of an earlier attempt do nothing. */
    attempt: integer('attempt').notNull(),
    /** Of the program that measures it. */
    engine_version: text('engine_version').notNull(),
    /** As resolved when the run was started; a later change of the project's settings does not touch it. */
    settings: jsonb('settings').$type<ReadinessSettings>().notNull(),
    /** The project's, when the run was started; null: each episode's own. */
    kind_override: text('kind_override').$type<Kind>(),
    /** Of most of its episodes, and how many are of which; when done. */
    kind: text('kind').$type<Kind>(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    /** SHA-256 of the plan it was started from, or of what was found. */
    plan_hash: text('plan_hash'),
    /** Of listing the source: what was left out and why. */
    findings: jsonb('findings').$type<Finding[]>().notNull(),
    episodes_expected: integer('episodes_expected').notNull(),
    episodes_measured: integer('episodes_measured').notNull(),
    episodes_judged: integer('episodes_judged').notNull(),
    episodes_unreadable: integer('episodes_unreadable').notNull(),
    bytes_expected: bigint('bytes_expected', { mode: 'number' }).notNull(),
    bytes_measured: bigint('bytes_measured', { mode: 'number' }).notNull(),
    accepted: integer('accepted').notNull(),
    to_review: integer('to_review').notNull(),
    rejected: integer('rejected').notNull(),
    /** Layers that run within it, as resolved when it was started; what there is to say of them, once it is done. */
    layers: jsonb('layers').$type<readonly RunLayer[]>().notNull().default([]),
    layer_findings: jsonb('layer_findings').$type<readonly Finding[]>().notNull().default([]),
    /** Seconds that worker threads spent on it without its layers; what it costs with them. */
    compute_s: doublePrecision('compute_s').notNull(),
    cost_usd: doublePrecision('cost_usd').notNull(),
    /** Of `compute_s`: what it was estimated at, and what is in the ledger. */
    estimate_s: doublePrecision('estimate_s').notNull().default(0),
    charged_s: doublePrecision('charged_s').notNull().default(0),
    /** What is reserved for it; null while nothing is. */
    reservation_id: text('reservation_id'),
    /** What comparisons say of episodes, in the order of the comparisons. */
    notes: jsonb('notes').$type<readonly NotesBlob[]>(),
    /** Where the report's files lie, once somebody asked for it. */
    report_prefix: text('report_prefix'),
    error: jsonb('error').$type<RunError>(),
    /** What it is waiting for, such as a blob store that does not answer. */
    waiting: jsonb('waiting').$type<RunError>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    started_at: at('started_at'),
    stage_started_at: at('stage_started_at'),
    /** Episodes of the stage that were done when it was begun or resumed, for its rate. */
    stage_base: integer('stage_base').notNull(),
    progress_at: at('progress_at'),
    finished_at: at('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('runs_project').on(t.tenant_id, t.project_id, t.id),
    // One at a time on a source: two would judge the same episodes over one another.
    uniqueIndex('runs_active').on(t.tenant_id, t.source_id).where(sql`status IN ('queued', 'running')`),
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
    /** What it was recognised as, to be opened again, and where; facts; evidence. */
    recognised: jsonb('claim').notNull(),
    root: text('root').notNull(),
    facts: jsonb('facts').notNull(),
    evidence: jsonb('evidence').$type<string[]>().notNull(),
    /** When done: kinds, counts, and every finding of the dataset; until then the findings of opening it. */
    kind: text('kind').$type<Kind>(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    episodes: integer('episodes').notNull(),
    unreadable: integer('unreadable').notNull(),
    findings: jsonb('findings').$type<Finding[]>().notNull(),
    compared: jsonb('compared').$type<Finding[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.run_id, t.place] })],
);

/** Where a unit's measurements lie in the pack that its blob is: bytes from, bytes long. */
export interface PackEntry {
  readonly kept: readonly [offset: number, length: number];
  readonly rows: readonly [offset: number, length: number];
  /** Place in the shard of its first episode. */
  readonly shard_from: number;
}

/** A part of a pack of receipts, in bytes. */
export type ReceiptsExtent = readonly [blob: string, offset: number, length: number];

/** One unit of a run: measured by one worker, later judged by one; each commit is fenced by attempt and worker. */
export const runUnits = pgTable(
  'run_units',
  {
    tenant_id: tenantId(),
    run_id: text('run_id').notNull(),
    place: integer('place').notNull(),
    dataset: integer('dataset').notNull(),
    unit: jsonb('unit').notNull(),
    state: text('state').$type<'waiting' | 'measured' | 'judged' | 'failed'>().notNull(),
    /** How often it was begun, and who began it last. */
    attempt: integer('attempt').notNull(),
    worker: text('worker'),
    /** How often a process died while it measured this unit and nothing else. */
    deaths: integer('deaths').notNull().default(0),
    episodes: integer('episodes').notNull(),
    unreadable: integer('unreadable').notNull(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    findings: jsonb('findings').$type<Finding[]>().notNull(),
    /** Blob key of the pack with what was measured, and where in it. */
    measured_blob: text('measured_blob'),
    pack_entry: jsonb('pack_entry').$type<PackEntry>(),
    /** Numbers of its streams; null where none were kept. */
    shard_blob: text('shard_blob'),
    /** Where its sealed receipts lie, one a line, in order; of a unit that is being judged, those so far. */
    receipts: jsonb('receipts').$type<readonly ReceiptsExtent[]>().notNull().default([]),
    compute_s: doublePrecision('compute_s').notNull(),
    /** Why the whole unit could not be measured. */
    error: jsonb('error').$type<Finding>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.run_id, t.place] }),
    index('run_units_state').on(t.tenant_id, t.run_id, t.state),
  ],
);

/**
 * What a run said on its way, for streams that resume; ids grow. Whoever adds a row holds the run's row, so that the
 * events of one run become visible in the order of their ids.
 */
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
  (t) => [primaryKey({ columns: [t.tenant_id, t.run_id, t.id] })],
);

/** Which worker holds which job of the queue, so that one started again after a crash takes up its own at once. */
export const queueClaims = pgTable(
  'queue_claims',
  {
    job_id: text('job_id').primaryKey(),
    queue: text('queue').notNull(),
    worker: text('worker').notNull(),
  },
  (t) => [index('queue_claims_worker').on(t.worker)],
);
