import type { ComputeDevice, JobLayerId } from '#core/api';
import type { Kind } from '#core/episode';
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
import { at, createdAt, tenantId, tsvector } from './columns.ts';

/** A part of an annotation beside its artifact: a range of the same blob. */
export interface StoredPart {
  readonly name: string;
  readonly media_type: string;
  readonly offset: number;
  readonly length: number;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/** What a layer says of an episode; produced again it takes the place of what was there. */
export const annotations = pgTable(
  'annotations',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    episode_id: text('episode_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    /** Of the episode by its streams; triggers keep it so. */
    stream_kind: text('stream_kind').$type<Kind>().notNull(),
    job_id: text('job_id').notNull(),
    /** The run that it was part of. */
    run_id: text('run_id'),
    model: text('model'),
    config_hash: text('config_hash').notNull(),
    /** SHA-256 of what it was made from. */
    input_hash: text('input_hash').notNull(),
    /** Where it lies: a part of a blob. */
    artifact_blob: text('artifact_blob').notNull(),
    artifact_offset: bigint('artifact_offset', { mode: 'number' }).notNull(),
    artifact_length: integer('artifact_length').notNull(),
    /** SHA-256 of its bytes. */
    artifact_hash: text('artifact_hash').notNull(),
    media_type: text('media_type').notNull(),
    /** Of the text that it is, by a person or the machine; null: it is none. */
    words: tsvector('words'),
    /** What lies beside it in the same blob. */
    parts: jsonb('parts').$type<readonly StoredPart[]>().notNull().default([]),
    counts: jsonb('counts').$type<Readonly<Record<string, number>>>().notNull(),
    quality: doublePrecision('quality'),
    quality_reason: text('quality_reason'),
    compute_s: doublePrecision('compute_s').notNull(),
    /** Where its models were computed. */
    device: text('device').$type<ComputeDevice>().notNull().default('cpu'),
    cost_usd: usd('cost_usd').notNull(),
    produced_at: at('produced_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.episode_id, t.layer] }),
    index('annotations_project').on(t.tenant_id, t.project_id, t.layer, t.episode_id),
    index('annotations_blob').on(t.tenant_id, t.artifact_blob),
    index('annotations_words').using('gin', t.words).where(sql`words IS NOT NULL`),
  ],
);

/** How many episodes of a kind carry a layer; triggers on `annotations` keep it true, nobody else writes it. */
export const annotationCounts = pgTable(
  'annotation_counts',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    stream_kind: text('stream_kind').$type<Kind>().notNull(),
    episodes: bigint('episodes', { mode: 'number' }).notNull(),
    /** Of those whose quality could be told: how many, and the sum. */
    assessed: bigint('assessed', { mode: 'number' }).notNull(),
    quality: doublePrecision('quality').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.layer, t.stream_kind] })],
);

/** What people wrote in place of a machine's text; the newest counts, older ones and the machine's own stay. */
export const annotationEdits = pgTable(
  'annotation_edits',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    episode_id: text('episode_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    text: text('text').notNull(),
    /** The machine's version that it was written over; null where there was none. */
    artifact_hash: text('artifact_hash'),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('annotation_edits_episode').on(t.tenant_id, t.episode_id, t.layer, t.id),
  ],
);
