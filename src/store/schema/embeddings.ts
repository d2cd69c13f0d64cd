import { bigint, doublePrecision, index, integer, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { tenantId, vector } from './columns.ts';

/** Newest vector of a descriptor for an episode; replaced when described again. */
export const embeddings = pgTable(
  'embeddings',
  {
    tenant_id: tenantId(),
    descriptor: text('descriptor').notNull(),
    episode_id: text('episode_id').notNull(),
    project_id: text('project_id').notNull(),
    version: integer('version').notNull(),
    /** Vectors with equal layout are comparable. */
    layout: text('layout').notNull(),
    /** Vector of length 1; null if the descriptor produced none, for `reason`. */
    vector: vector('vector'),
    reason: text('reason'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.descriptor, t.episode_id] }),
    // Used to count comparable and missing vectors without reading the table.
    index('embeddings_comparable')
      .on(t.tenant_id, t.project_id, t.descriptor, t.version, t.layout, t.episode_id)
      .where(sql`vector IS NOT NULL`),
    index('embeddings_missing')
      .on(t.tenant_id, t.project_id, t.descriptor, t.version, t.episode_id)
      .where(sql`vector IS NULL`),
  ],
);

/** Vectors of moments (parts) of long episodes. */
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
    // One entry per episode, to count episodes with moments.
    index('embedding_moments_first')
      .on(t.tenant_id, t.project_id, t.descriptor, t.version, t.layout, t.episode_id)
      .where(sql`part = 1`),
  ],
);

/** Number of episodes by result of a descriptor; maintained only by triggers on `embeddings`. */
export const embeddingCounts = pgTable(
  'embedding_counts',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    descriptor: text('descriptor').notNull(),
    version: integer('version').notNull(),
    /** Empty if there is no vector. */
    layout: text('layout').notNull(),
    /** Reason why there is no vector; empty if there is one. */
    reason: text('reason').notNull(),
    episodes: bigint('episodes', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.descriptor, t.version, t.layout, t.reason] })],
);
