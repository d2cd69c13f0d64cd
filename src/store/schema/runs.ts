import type { LayerId, ReadinessSettings, SetVerdict } from '#core/api';
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
import type { StoredEstimate } from './stored-estimate.ts';

export type RunStatus =
  /** Not started. */
  | 'queued'
  | 'running'
  | 'succeeded'
  /** Some episodes or files could not be judged. */
  | 'partial'
  /** Stopped for the reason in `error`; can be resumed. */
  | 'failed'
  | 'cancelled';
export type RunStage = 'look' | 'measure' | 'compare' | 'judge' | 'annotate' | 'done';
/** `rescore` judges the measurements of an earlier run with the current settings. */
export type RunType = 'assess' | 'rescore';

/** Reason why a run waits or stopped. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  /** Affected file or folder, as named by its reader. */
  readonly path: string | null;
  readonly advice: string | null;
}

/** Blob with notes of comparisons; its first `header` bytes are JSON with the location of the notes of each unit. */
export interface NotesBlob {
  readonly key: string;
  readonly header: number;
}

export type RunLayerStatus =
  /** No job was started. */
  | 'waiting'
  | 'running'
  | 'succeeded'
  /** Some episodes could not be annotated. */
  | 'partial'
  | 'failed'
  | 'cancelled'
  /** Skipped because of the budget. */
  | 'skipped'
  /** Does not apply to any episode of the run. */
  | 'inapplicable'
  /** Not available in this installation. */
  | 'unavailable';

/** An annotation layer of a run. */
export interface RunLayer {
  readonly layer: LayerId;
  /** Layer settings when the run was started. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly status: RunLayerStatus;
  /** Its jobs since the episodes were judged, newest last. */
  readonly jobs: readonly string[];
  /** Reason why it did not succeed. */
  readonly reason: string | null;
  /** Compute time and cost of its jobs, once the run has ended. */
  readonly compute_s: number;
  readonly cost_usd: number;
}

/** Runs that assess the recordings of a source, or judge them again. */
export const runs = pgTable(
  'runs',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    source_id: text('source_id').notNull(),
    type: text('type').$type<RunType>().notNull(),
    /** Run whose measurements a rescore judges. */
    base_run_id: text('base_run_id'),
    status: text('status').$type<RunStatus>().notNull(),
    stage: text('stage').$type<RunStage>().notNull(),
    /** Incremented when resumed; jobs of earlier attempts do nothing. */
    attempt: integer('attempt').notNull(),
    /** Version of the measuring program. */
    engine_version: text('engine_version').notNull(),
    /** Settings when the run was started; later changes of the project do not affect it. */
    settings: jsonb('settings').$type<ReadinessSettings>().notNull(),
    /** Pinned kind of the project when the run was started; null if each episode has its own. */
    kind_override: text('kind_override').$type<Kind>(),
    /** Most frequent kind of its episodes, and number of episodes by kind; set once all are judged. */
    kind: text('kind').$type<Kind>(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    /** SHA-256 of the plan it was started from, or of the listing. */
    plan_hash: text('plan_hash'),
    /** Revision of a web source that the run reads: a commit, else the SHA-256 of the listing; null for other sources. */
    source_revision: text('source_revision'),
    /** Bytes downloaded for the run. */
    bytes_fetched: bigint('bytes_fetched', { mode: 'number' }).notNull().default(0),
    /** Findings of listing the source. */
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
    /** Verdict on all its recordings, set once all are judged; null for runs of older versions. */
    usability: jsonb('usability').$type<SetVerdict>(),
    /**
     * Titles of the loaders that judged its only dataset, set with the verdict; null with several datasets, without known rules
     * and for runs of older versions.
     */
    loader: text('loader'),
    /** Annotation layers of the run when it was started, and findings about them once it is done. */
    layers: jsonb('layers').$type<readonly RunLayer[]>().notNull().default([]),
    layer_findings: jsonb('layer_findings').$type<readonly Finding[]>().notNull().default([]),
    /** Compute time of worker threads in seconds without annotation layers, and cost with them. */
    compute_s: doublePrecision('compute_s').notNull(),
    cost_usd: doublePrecision('cost_usd').notNull(),
    /** Estimated and charged parts of `compute_s`. */
    estimate_s: doublePrecision('estimate_s').notNull().default(0),
    /** The whole estimate, once the source was inspected; null for rescores and runs of older versions. */
    estimate: jsonb('estimate').$type<StoredEstimate>(),
    charged_s: doublePrecision('charged_s').notNull().default(0),
    /** Budget reservation; null if there is none. */
    reservation_id: text('reservation_id'),
    /** Notes of comparisons about episodes, in the order of comparisons. */
    notes: jsonb('notes').$type<readonly NotesBlob[]>(),
    /** Key prefix of the report files, once it was requested. */
    report_prefix: text('report_prefix'),
    error: jsonb('error').$type<RunError>(),
    /** Reason for waiting, such as a blob store that does not answer. */
    waiting: jsonb('waiting').$type<RunError>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    started_at: at('started_at'),
    stage_started_at: at('stage_started_at'),
    /** Number of episodes already done when the stage was started or resumed, for computing its rate. */
    stage_base: integer('stage_base').notNull(),
    progress_at: at('progress_at'),
    finished_at: at('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('runs_project').on(t.tenant_id, t.project_id, t.id),
    index('runs_measured')
      .on(t.tenant_id, t.finished_at)
      .where(sql`estimate IS NOT NULL AND status IN ('succeeded', 'partial')`),
    // One active run per source: two would overwrite each other's results.
    uniqueIndex('runs_active').on(t.tenant_id, t.source_id).where(sql`status IN ('queued', 'running')`),
  ],
);

/** A dataset found by a run. */
export const runDatasets = pgTable(
  'run_datasets',
  {
    tenant_id: tenantId(),
    run_id: text('run_id').notNull(),
    place: integer('place').notNull(),
    path: text('path').notNull(),
    format: text('format').notNull(),
    /** Format claim for opening it again, its root, facts and evidence. */
    recognised: jsonb('claim').notNull(),
    root: text('root').notNull(),
    facts: jsonb('facts').notNull(),
    evidence: jsonb('evidence').$type<string[]>().notNull(),
    /** Kinds, counts and all findings, set when done; before that only findings of opening it. */
    kind: text('kind').$type<Kind>(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    episodes: integer('episodes').notNull(),
    unreadable: integer('unreadable').notNull(),
    findings: jsonb('findings').$type<Finding[]>().notNull(),
    compared: jsonb('compared').$type<Finding[]>().notNull(),
    /** Verdict on the dataset as a whole, set when done; null for runs of older versions. */
    usability: jsonb('usability').$type<SetVerdict>(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.run_id, t.place] })],
);

/** Locations of the measurements of a unit in its pack, as offset and length in bytes. */
export interface PackEntry {
  readonly kept: readonly [offset: number, length: number];
  readonly rows: readonly [offset: number, length: number];
  /** Number of its first episode in the shard. */
  readonly shard_from: number;
}

/** Byte range of a pack of receipts. */
export type ReceiptsExtent = readonly [blob: string, offset: number, length: number];

/** Counts over the judged episodes of a unit; `SetTally` of the evaluation makes and adds them. */
export interface UnitCounts {
  readonly codes: Readonly<Record<string, number>>;
  readonly rejections: Readonly<Record<string, number>>;
  readonly usable: number;
}

/** A unit of a run: measured by one worker, later judged by one; commits are fenced by attempt and worker. */
export const runUnits = pgTable(
  'run_units',
  {
    tenant_id: tenantId(),
    run_id: text('run_id').notNull(),
    place: integer('place').notNull(),
    dataset: integer('dataset').notNull(),
    unit: jsonb('unit').notNull(),
    state: text('state').$type<'waiting' | 'measured' | 'judged' | 'failed'>().notNull(),
    /** Number of attempts, and the worker of the last one. */
    attempt: integer('attempt').notNull(),
    worker: text('worker'),
    /** Number of processes that died while measuring only this unit. */
    deaths: integer('deaths').notNull().default(0),
    episodes: integer('episodes').notNull(),
    unreadable: integer('unreadable').notNull(),
    kinds: jsonb('kinds').$type<Partial<Record<Kind, number>>>().notNull(),
    findings: jsonb('findings').$type<Finding[]>().notNull(),
    /** Blob key of the pack with its measurements, and their location. */
    measured_blob: text('measured_blob'),
    pack_entry: jsonb('pack_entry').$type<PackEntry>(),
    /** Shard with the numbers of its streams; null if none were stored. */
    shard_blob: text('shard_blob'),
    /** Locations of its sealed receipts, one per line, in order; for a unit being judged, those so far. */
    receipts: jsonb('receipts').$type<readonly ReceiptsExtent[]>().notNull().default([]),
    /** Counts over its judged episodes, for the verdict on the dataset. */
    counts: jsonb('counts').$type<UnitCounts>(),
    compute_s: doublePrecision('compute_s').notNull(),
    /** Reason why the whole unit could not be measured. */
    error: jsonb('error').$type<Finding>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.run_id, t.place] }),
    index('run_units_state').on(t.tenant_id, t.run_id, t.state),
  ],
);

/**
 * Events of a run, for streams that can be resumed; ids increase. Writers hold the lock of the run, so that its events
 * become visible in the order of their ids.
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

/** Claims of queue jobs by workers, so that a worker restarted after a crash recovers its jobs at once. */
export const queueClaims = pgTable(
  'queue_claims',
  {
    job_id: text('job_id').primaryKey(),
    queue: text('queue').notNull(),
    worker: text('worker').notNull(),
  },
  (t) => [index('queue_claims_worker').on(t.worker)],
);
