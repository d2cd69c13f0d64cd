import type { BundleFacts, Decision, ExportChosen, ExportedFormat, LayerId } from '#core/api';
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
  /** A person has sealed it: it stays as it is, and so does what it rests on. */
  | 'sealed';

/** Which evidence a bundle is made of, under which policy. */
export interface BundleInputs {
  readonly origin: BundleFacts['origin'];
  readonly policy_version: number;
  /** State of the evidence when the bundle was queued; null: of a report that was made elsewhere. */
  readonly evidence_hash: string | null;
  /** Unlike that of any other evidence: the same bundle is sealed once. */
  readonly input_hash: string;
  /** Blob with a report that was made elsewhere; null: it is made of the project's receipts. */
  readonly report_blob: string | null;
  /** Layers of annotation that the settings asked for. */
  readonly wanted: readonly LayerId[];
}

/** A training set made of some episodes of one dataset. */
export const trainingExports = pgTable(
  'exports',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    /** Null: a bundle of evidence, which is of all sources of the project. */
    source_id: text('source_id'),
    /** The dataset below the source, and what it is. */
    dataset_path: text('dataset_path').notNull(),
    dataset_format: text('dataset_format').notNull(),
    format: text('format').$type<ExportedFormat>().notNull(),
    /** Rows a second that were asked for; null: the recordings' own. */
    rate_hz: doublePrecision('rate_hz'),
    status: text('status').$type<ExportStatus>().notNull(),
    /** What was asked for. */
    chosen: jsonb('chosen').$type<ExportChosen>().notNull(),
    purpose: text('purpose').$type<'training' | 'evaluation' | 'certification'>().notNull(),
    /** What a bundle certifies; null: no bundle. */
    certification: jsonb('certification').$type<BundleInputs>(),
    kept: integer('kept').notNull(),
    dropped: integer('dropped').notNull(),
    /** Of the kept: how many are written so far. */
    written: integer('written').notNull(),
    /** Keys of its files start so; null until all of them are there. */
    blob_prefix: text('blob_prefix'),
    files: integer('files').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** SHA-256 over its lineage and files. */
    seal: text('seal'),
    estimate_usd: usd('estimate_usd').notNull(),
    reservation_id: text('reservation_id'),
    reserved_usd: usd('reserved_usd').notNull(),
    /** Seconds that threads spent on it. */
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
    // What holds a source back from being deleted.
    index('exports_source')
      .on(t.tenant_id, t.source_id)
      .where(sql`status IN ('queued', 'running', 'sealed')`),
  ],
);

/** Each episode of the dataset as it was when the export was asked for: what leaves, and why the others stay. */
export const exportEpisodes = pgTable(
  'export_episodes',
  {
    tenant_id: tenantId(),
    export_id: text('export_id').notNull(),
    /** In the order of the dataset. */
    place: integer('place').notNull(),
    episode_id: text('episode_id').notNull(),
    name: text('name').notNull(),
    source_index: integer('source_index').notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    receipt_id: text('receipt_id').notNull(),
    flags: text('flags').array().notNull(),
    /** Why it is left out; null: it is kept. */
    dropped: text('dropped'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.export_id, t.place] })],
);
