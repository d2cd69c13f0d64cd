import type { TenantScope } from '../../database/database.ts';
import { and, asc, desc, eq, sql } from '../../drizzle.ts';
import { embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e } from '../../schema/episodes.ts';
import { type EpisodeFilter, filterConditions } from '../episode-pages.ts';

/** Result of a descriptor for an episode. */
export interface EpisodeVector {
  readonly version: number;
  readonly layout: string;
  /** In the text format of pgvector; null if there is none. */
  readonly vector: string | null;
  readonly reason: string | null;
}

interface VectorKey {
  readonly project_id: string;
  readonly episode_id: string;
  readonly descriptor: string;
}

/** Returns the result of a descriptor for an episode; null if no run has described it. */
export async function getVector(
  { sql: database, tenant_id }: TenantScope,
  { project_id, episode_id, descriptor }: VectorKey,
): Promise<EpisodeVector | null> {
  const [row] = await database
    .select({ version: v.version, layout: v.layout, vector: v.vector, reason: v.reason })
    .from(v)
    .where(
      and(
        eq(v.tenant_id, tenant_id),
        eq(v.project_id, project_id),
        eq(v.descriptor, descriptor),
        eq(v.episode_id, episode_id),
      ),
    );
  return row ?? null;
}

/** Returns the moment of an episode that overlaps a time range most; null if none does. */
export async function getMoment(
  { sql: database, tenant_id }: TenantScope,
  { project_id, episode_id, descriptor }: VectorKey,
  { from_s, to_s }: { readonly from_s: number; readonly to_s: number },
): Promise<{ readonly vector: string; readonly from_s: number; readonly to_s: number } | null> {
  const overlap = sql`least(${m.to_s}, ${to_s}::float8) - greatest(${m.from_s}, ${from_s}::float8)`;
  const [row] = await database
    .select({ vector: m.vector, from_s: m.from_s, to_s: m.to_s })
    .from(m)
    .where(
      and(
        eq(m.tenant_id, tenant_id),
        eq(m.project_id, project_id),
        eq(m.descriptor, descriptor),
        eq(m.episode_id, episode_id),
        sql`${overlap} >= 0`,
      ),
    )
    .orderBy(sql`${overlap} DESC`, asc(m.from_s))
    .limit(1);
  return row ?? null;
}

interface VectorsQuery {
  readonly project_id: string;
  readonly descriptor: string;
  readonly filter: EpisodeFilter;
  readonly limit: number;
}

/**
 * Returns the newest episodes that pass a filter, at most `limit`, each with its result of a descriptor; null members if it
 * has none.
 */
export async function listVectors(
  { sql: database, tenant_id }: TenantScope,
  { project_id, descriptor, filter, limit }: VectorsQuery,
) {
  const { id, receipt_id, name, decision, review_decision, score, task } = e;
  const { version, layout, vector, reason } = v;
  return database
    .select({ id, receipt_id, name, decision, review_decision, score, task, version, layout, vector, reason })
    .from(e)
    .leftJoin(v, and(eq(v.tenant_id, e.tenant_id), eq(v.episode_id, e.id), eq(v.descriptor, descriptor)))
    .where(and(eq(e.tenant_id, tenant_id), eq(e.project_id, project_id), ...filterConditions(filter)))
    .orderBy(desc(e.id))
    .limit(limit);
}
