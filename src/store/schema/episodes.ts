import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Decision } from '#contract';
import type { Kind } from '#episode';
import { at, createdAt, tenantId } from './columns.ts';

/** One episode of a source; judged again by a later run it keeps its id. */
export const episodes = pgTable(
  'episodes',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    source_id: text('source_id').notNull(),
    /** The run that judged it last, and its receipt. */
    run_id: text('run_id').notNull(),
    receipt_id: text('receipt_id').notNull(),
    /** Folder of its dataset relative to the source, and the name the reader gave it there. */
    dataset_path: text('dataset_path').notNull(),
    name: text('name').notNull(),
    index: integer('index').notNull(),
    format: text('format').notNull(),
    kind: text('kind').$type<Kind>().notNull(),
    /** What its streams say where a pinned kind won; null: the same as `kind`. */
    derived_kind: text('derived_kind').$type<Kind>(),
    decision: text('decision').$type<Decision>().notNull(),
    score: doublePrecision('score'),
    graded_fraction: doublePrecision('graded_fraction').notNull(),
    duration_s: doublePrecision('duration_s').notNull(),
    start_ns: text('start_ns'),
    robot: text('robot'),
    task: text('task'),
    outcome: text('outcome').notNull(),
    /** Parquet shard with the numbers of its streams, and its place there. Media stays in the source. */
    shard_blob: text('shard_blob'),
    shard_place: integer('shard_place'),
    flags: text('flags').array().notNull(),
    /** A person's word, beside the machine's. */
    review_decision: text('review_decision').$type<Decision>(),
    reviewed_at: at('reviewed_at'),
    created_at: createdAt(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    uniqueIndex('episodes_origin').on(t.tenant_id, t.source_id, t.dataset_path, t.format, t.name),
    index('episodes_project').on(t.tenant_id, t.project_id, t.id),
    index('episodes_score').on(t.tenant_id, t.project_id, t.decision, t.score, t.id),
    index('episodes_flags').using('gin', t.flags),
  ],
);

/** A sealed receipt lies in a pack of many; bytes `offset` to `offset + length` are its canonical JSON. */
export const receipts = pgTable(
  'receipts',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    episode_id: text('episode_id').notNull(),
    run_id: text('run_id').notNull(),
    content_hash: text('content_hash').notNull(),
    settings_hash: text('settings_hash').notNull(),
    pack_blob: text('pack_blob').notNull(),
    offset: bigint('offset', { mode: 'number' }).notNull(),
    length: integer('length').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    uniqueIndex('receipts_episode').on(t.tenant_id, t.episode_id, t.run_id),
  ],
);

/** Review decisions; the newest counts, older ones stay. */
export const reviews = pgTable(
  'reviews',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    episode_id: text('episode_id').notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    note: text('note').notNull(),
    receipt_id: text('receipt_id').notNull(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('reviews_episode').on(t.tenant_id, t.episode_id, t.id),
  ],
);
