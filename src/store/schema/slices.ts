import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** A stored search result; its members do not change when episodes are judged or added later. */
export const slices = pgTable(
  'slices',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    name: text('name').notNull(),
    /** The search request with all defaults filled in. */
    query: jsonb('query').notNull(),
    ranked_by: jsonb('ranked_by'),
    coverage: jsonb('coverage').notNull(),
    /** SHA-256 of the readiness settings at that time. */
    settings_hash: text('settings_hash').notNull(),
    /** SHA-256 of the canonical answer: query, ranking, coverage, and members with scores and receipts. */
    response_hash: text('response_hash').notNull(),
    episodes: integer('episodes').notNull(),
    /** Time at which it was locked as evaluation set, and by whom. */
    locked_at: at('locked_at'),
    locked_by: text('locked_by'),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('slices_project').on(t.tenant_id, t.project_id, t.id),
  ],
);

/** Members of slices. */
export const sliceMembers = pgTable(
  'slice_members',
  {
    tenant_id: tenantId(),
    slice_id: text('slice_id').notNull(),
    /** Rank in the answer, from 0. */
    place: integer('place').notNull(),
    episode_id: text('episode_id').notNull(),
    /** Receipt at that time. */
    receipt_hash: text('receipt_hash').notNull(),
    score: doublePrecision('score'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.slice_id, t.place] }),
    index('slice_members_episode').on(t.tenant_id, t.episode_id, t.slice_id),
  ],
);
