import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** A search result that stays as it was: whatever is judged or added later, its members do not change. */
export const slices = pgTable(
  'slices',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    name: text('name').notNull(),
    /** The search as it was asked, with everything that was left out filled in. */
    query: jsonb('query').notNull(),
    ranked_by: jsonb('ranked_by'),
    coverage: jsonb('coverage').notNull(),
    /** SHA-256 of the readiness settings in effect then. */
    settings_hash: text('settings_hash').notNull(),
    /** SHA-256 of the canonical answer: query, ranking, coverage and members with their scores and receipts. */
    response_hash: text('response_hash').notNull(),
    episodes: integer('episodes').notNull(),
    /** Since when it is a locked evaluation set, and who said so. */
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

export const sliceMembers = pgTable(
  'slice_members',
  {
    tenant_id: tenantId(),
    slice_id: text('slice_id').notNull(),
    /** In the order of the answer, from 0. */
    place: integer('place').notNull(),
    episode_id: text('episode_id').notNull(),
    /** What was known of it then. */
    receipt_hash: text('receipt_hash').notNull(),
    score: doublePrecision('score'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.slice_id, t.place] }),
    index('slice_members_episode').on(t.tenant_id, t.episode_id, t.slice_id),
  ],
);
