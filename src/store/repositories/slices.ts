import type { Database, TenantScope } from '../database/database.ts';
import { and, asc, desc, eq, isNotNull, lt, sql } from '../drizzle.ts';
import { episodes as e, receipts } from '../schema/episodes.ts';
import { sliceMembers as m, slices as s } from '../schema/slices.ts';
import { type EpisodeItemRow, listedColumnsSql } from './episode-pages.ts';

export type SliceRow = typeof s.$inferSelect;
export type SliceMemberRow = typeof m.$inferSelect;

interface SliceKey {
  readonly project_id: string;
  readonly slice_id: string;
}

const rowCondition = ({ tenant_id }: TenantScope, { project_id, slice_id }: SliceKey) =>
  and(eq(s.tenant_id, tenant_id), eq(s.id, slice_id), eq(s.project_id, project_id));

/** Adds a slice and its members in order. Must run in a transaction. */
export async function insertSlice(
  scope: TenantScope & { readonly database: Database },
  row: Omit<SliceRow, 'tenant_id' | 'locked_at' | 'locked_by'>,
  members: readonly Pick<SliceMemberRow, 'episode_id' | 'receipt_hash' | 'score'>[],
): Promise<void> {
  const { tenant_id, database } = scope;
  await scope.sql.insert(s).values({ ...row, tenant_id });
  await database.query(
    `INSERT INTO slice_members (tenant_id, slice_id, place, episode_id, receipt_hash, score)
     SELECT $1, $2, place - 1, m->>'episode_id', m->>'receipt_hash', (m->>'score')::float8
     FROM json_array_elements($3::json) WITH ORDINALITY AS m (m, place)`,
    [tenant_id, row.id, JSON.stringify(members)],
  );
}

/** Returns a slice; null if the project has none with this id. `lock` locks the row until the transaction ends. */
export async function getSlice(scope: TenantScope, key: SliceKey, lock?: 'update'): Promise<SliceRow | null> {
  const query = scope.sql.select().from(s).where(rowCondition(scope, key));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Lists the slices of a project, newest first, only those before the id `before`. */
export async function listSlices(
  { sql: database, tenant_id }: TenantScope,
  {
    project_id,
    before,
    limit,
  }: { readonly project_id: string; readonly before: string | null; readonly limit: number },
): Promise<SliceRow[]> {
  return database
    .select()
    .from(s)
    .where(
      and(
        eq(s.tenant_id, tenant_id),
        eq(s.project_id, project_id),
        before === null ? undefined : lt(s.id, before),
      ),
    )
    .orderBy(desc(s.id))
    .limit(limit);
}

/** A member with the episode in its current state; null if it was deleted. */
export type SliceMemberItem = Pick<SliceMemberRow, 'place' | 'receipt_hash' | 'score'> & {
  readonly member_id: string;
  readonly episode: Omit<EpisodeItemRow, 'value'> | null;
};

/** Lists members in order, at most `limit`, only those after the position `after`; deleted episodes are null. */
export async function listMembers(
  { sql: database, tenant_id }: TenantScope,
  { slice_id, after, limit }: { readonly slice_id: string; readonly after: number; readonly limit: number },
): Promise<SliceMemberItem[]> {
  const { rows } = await database.execute<
    Record<string, unknown> &
      Omit<SliceMemberItem, 'episode'> &
      Omit<EpisodeItemRow, 'id' | 'value' | 'score'> & { id: string | null; readiness: number | null }
  >(sql`
    SELECT ${listedColumnsSql}, ${e.score} AS readiness, ${m.place} AS place, ${m.episode_id} AS member_id,
      ${m.receipt_hash} AS receipt_hash, ${m.score} AS score
    FROM ${m} LEFT JOIN ${e} ON ${e.tenant_id} = ${tenant_id} AND ${e.id} = ${m.episode_id}
    WHERE ${m.tenant_id} = ${tenant_id} AND ${m.slice_id} = ${slice_id} AND ${m.place} > ${after}
    ORDER BY ${m.place} LIMIT ${limit}`);
  return rows.map(({ place, member_id, receipt_hash, score, readiness, id, ...episode }) => ({
    place,
    member_id,
    receipt_hash,
    score,
    episode: id === null ? null : { ...episode, id, score: readiness },
  }));
}

/** Marks a slice as locked evaluation set. */
export async function lockSlice(
  scope: TenantScope,
  key: SliceKey,
  lock: { readonly locked_at: Date; readonly locked_by: string },
): Promise<void> {
  await scope.sql.update(s).set(lock).where(rowCondition(scope, key));
}

/** Deletes a slice with its members. Must run in a transaction; the caller checks that the slice is the project's. */
export async function deleteSlice(scope: TenantScope, key: SliceKey): Promise<void> {
  await scope.sql.delete(m).where(and(eq(m.tenant_id, scope.tenant_id), eq(m.slice_id, key.slice_id)));
  await scope.sql.delete(s).where(rowCondition(scope, key));
}

/** Returns all members in order, at most 100,000 short rows. */
export async function allMembers(
  { sql: database, tenant_id }: TenantScope,
  slice_id: string,
): Promise<Pick<SliceMemberRow, 'episode_id' | 'receipt_hash'>[]> {
  return database
    .select({ episode_id: m.episode_id, receipt_hash: m.receipt_hash })
    .from(m)
    .where(and(eq(m.tenant_id, tenant_id), eq(m.slice_id, slice_id)))
    .orderBy(asc(m.place));
}

/** Returns the hash of the current receipt of each of the episodes that exists, by episode id. */
export async function receiptHashes(
  { sql: database, tenant_id }: TenantScope,
  episode_ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await database
    .select({ episode_id: e.id, receipt_hash: receipts.content_hash })
    .from(e)
    .innerJoin(receipts, and(eq(receipts.tenant_id, tenant_id), eq(receipts.id, e.receipt_id)))
    .where(and(eq(e.tenant_id, tenant_id), sql`${e.id} = ANY(${sql.param([...episode_ids])}::text[])`));
  return new Map(found.map(({ episode_id, receipt_hash }) => [episode_id, receipt_hash]));
}

/**
 * Returns a pair for each of the episodes and each locked evaluation set (slice) that it belongs to. Exports and curation must
 * not use them for training.
 */
export async function lockedEpisodes(
  { sql: database, tenant_id }: TenantScope,
  episode_ids: readonly string[],
): Promise<{ readonly episode_id: string; readonly slice_id: string }[]> {
  if (episode_ids.length === 0) return [];
  return database
    .select({ episode_id: m.episode_id, slice_id: m.slice_id })
    .from(m)
    .innerJoin(s, and(eq(s.tenant_id, tenant_id), eq(s.id, m.slice_id), isNotNull(s.locked_at)))
    .where(
      and(eq(m.tenant_id, tenant_id), sql`${m.episode_id} = ANY(${sql.param([...episode_ids])}::text[])`),
    )
    .orderBy(asc(m.episode_id), asc(m.slice_id));
}
