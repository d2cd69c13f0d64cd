import { bigint, doublePrecision, index, integer, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { tenantId, vector } from './columns.ts';

/** What a descriptor made of an episode when it was measured last; describing it again takes its place. */
export const embeddings = pgTable(
  'embeddings',
  {
    tenant_id: tenantId(),
    descriptor: text('descriptor').notNull(),
    episode_id: text('episode_id').notNull(),
    project_id: text('project_id').notNull(),
    version: integer('version').notNull(),
    /** What must be equal for two vectors to mean the same. */
    layout: text('layout').notNull(),
    /** Of length 1. Null: the descriptor made none, for this reason. */
    vector: vector('vector'),
    reason: text('reason'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.descriptor, t.episode_id] }),
    // What can be compared, and what cannot, is counted from these alone.
    index('embeddings_comparable')
      .on(t.tenant_id, t.project_id, t.descriptor, t.version, t.layout, t.episode_id)
      .where(sql`vector IS NOT NULL`),
    index('embeddings_missing')
      .on(t.tenant_id, t.project_id, t.descriptor, t.version, t.episode_id)
      .where(sql`vector IS NULL`),
  ],
);

/** The same of a part of an episode, where it is long enough to be parted. */
export const embeddingMoments = pgTable(
  'embedding_moments',
  {
    tenant_id: tenantId(),
    descriptor: text('descriptor').notNull(),
    episode_id: text('episode_id').notNull(),
    part: integer('part').notNull(),
    project_id: text('project_id').notNull(),
    version: integer('version').notNull(),
    layout: text('layout').notNull(),
    from_s: doublePrecision('from_s').notNull(),
    to_s: doublePrecision('to_s').notNull(),
    vector: vector('vector').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.descriptor, t.episode_id, t.part] }),
    index('embedding_moments_project').on(t.tenant_id, t.project_id, t.descriptor, t.version, t.layout),
    // One entry an episode, to count those that have moments.
    index('embedding_moments_first')
      .on(t.tenant_id, t.project_id, t.descriptor, t.version, t.layout, t.episode_id)
      .where(sql`part = 1`),
  ],
);

/** How many episodes a descriptor made what of; triggers on `embeddings` keep it true, nobody else writes it. */
export const embeddingCounts = pgTable(
  'embedding_counts',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    descriptor: text('descriptor').notNull(),
    version: integer('version').notNull(),
    /** Empty where there is no vector. */
    layout: text('layout').notNull(),
    /** Why there is no vector; empty where there is one. */
    reason: text('reason').notNull(),
    episodes: bigint('episodes', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.descriptor, t.version, t.layout, t.reason] })],
);
