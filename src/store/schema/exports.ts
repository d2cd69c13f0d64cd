import type { BundleFacts, Decision, DroppedCount, ExportChosen, ExportedFormat, LayerId } from '#core/api';
import type { DropStage } from '#core/api/bounds';
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
} from '../drizzle.ts';
import { usd } from './budget.ts';
import { at, createdAt, tenantId } from './columns.ts';
import type { RunError } from './runs.ts';

export type ExportStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  /** Sealed by a person: neither it nor its sources may change. */
  | 'sealed';

/** Evidence and policy of a bundle. */
export interface BundleInputs {
  readonly origin: BundleFacts['origin'];
  readonly policy_version: number;
  /** Hash of the evidence when the bundle was queued; null for an external report. */
  readonly evidence_hash: string | null;
  /** Unique per evidence, so that the same bundle is sealed once. */
  readonly input_hash: string;
  /** Blob of an external report; null if the report is made from receipts of the project. */
  readonly report_blob: string | null;
  /** Annotation layers requested by the settings. */
  readonly wanted: readonly LayerId[];
}

/** A training set of episodes of one dataset. */
export const trainingExports = pgTable(
  'exports',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    /** Null for an evidence bundle, which covers all sources of the project. */
    source_id: text('source_id'),
    /** Path of the dataset below the source, and its format. */
    dataset_path: text('dataset_path').notNull(),
    dataset_format: text('dataset_format').notNull(),
    format: text('format').$type<ExportedFormat>().notNull(),
    /** Requested rows per second; null for the recorded rate. */
    rate_hz: doublePrecision('rate_hz'),
    status: text('status').$type<ExportStatus>().notNull(),
    /** The requested selection. */
    chosen: jsonb('chosen').$type<ExportChosen>().notNull(),
    purpose: text('purpose').$type<'training' | 'evaluation' | 'certification'>().notNull(),
    /** Inputs of a bundle; null if it is not a bundle. */
    certification: jsonb('certification').$type<BundleInputs>(),
    kept: integer('kept').notNull(),
    dropped: integer('dropped').notNull(),
    /** Number of dropped episodes by the stage that dropped them; null in older rows and bundles. */
    dropped_by: jsonb('dropped_by').$type<readonly DroppedCount[]>(),
    /** Number of kept episodes written so far. */
    written: integer('written').notNull(),
    /** Key prefix of its files; null until all of them are stored. */
    blob_prefix: text('blob_prefix'),
    files: integer('files').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** SHA-256 over its lineage and files. */
    seal: text('seal'),
    estimate_usd: usd('estimate_usd').notNull(),
    reservation_id: text('reservation_id'),
    reserved_usd: usd('reserved_usd').notNull(),
    /** Compute time of threads in seconds. */
    compute_s: doublePrecision('compute_s').notNull(),
    price_usd_per_s: doublePrecision('price_usd_per_s').notNull(),
    error: jsonb('error').$type<RunError>(),
    waiting: jsonb('waiting').$type<RunError>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    started_at: at('started_at'),
    progress_at: at('progress_at'),
    finished_at: at('finished_at'),
    sealed_at: at('sealed_at'),
    sealed_by: text('sealed_by'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('exports_project').on(t.tenant_id, t.project_id, t.id),
    // Finds exports that prevent the deletion of a source.
    index('exports_source')
      .on(t.tenant_id, t.source_id)
      .where(sql`status IN ('queued', 'running', 'sealed')`),
  ],
);

/** Each episode of the dataset in its state at the request: which are exported, and why others are not. */
export const exportEpisodes = pgTable(
  'export_episodes',
  {
    tenant_id: tenantId(),
    export_id: text('export_id').notNull(),
    /** Position in the dataset. */
    place: integer('place').notNull(),
    episode_id: text('episode_id').notNull(),
    name: text('name').notNull(),
    source_index: integer('source_index').notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    receipt_id: text('receipt_id').notNull(),
    flags: text('flags').array().notNull(),
    /** Reason why it is not exported; null if it is. */
    dropped: text('dropped'),
    /** Stage that dropped it; null if it is exported, and in older rows. */
    stage: text('stage').$type<DropStage>(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.export_id, t.place] })],
);
