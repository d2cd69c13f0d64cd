import type { Database } from '../database/database.ts';
import { and, asc, desc, eq, isNotNull, lt, sql } from '../drizzle.ts';
import { episodes as e, receipts } from '../schema/episodes.ts';
import { sliceMembers as m, slices as s } from '../schema/slices.ts';
import type { TenantScope } from '../tenant-scope.ts';
import { type EpisodeItemRow, shownOfEpisodes } from './episode-pages.ts';

export type SliceRow = typeof s.$inferSelect;
export type SliceMemberRow = typeof m.$inferSelect;

interface SliceKey {
  readonly project_id: string;
  readonly slice_id: string;
}

const itself = ({ tenant_id }: TenantScope, { project_id, slice_id }: SliceKey) =>
  and(eq(s.tenant_id, tenant_id), eq(s.id, slice_id), eq(s.project_id, project_id));

/** Adds a slice and its members in their order. In a transaction. */
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

/** Null where the tenant’s project has none of that id. */
export async function getSlice(scope: TenantScope, key: SliceKey, lock?: 'update'): Promise<SliceRow | null> {
  const query = scope.sql.select().from(s).where(itself(scope, key));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Of a project, newest first, those before the id `before`. */
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

/** A member, and the episode as it is now where it is still there. */
export type SliceMemberItem = Pick<SliceMemberRow, 'place' | 'receipt_hash' | 'score'> & {
  readonly member_id: string;
  readonly episode: Omit<EpisodeItemRow, 'value'> | null;
};

/** In their order, those behind the place `after`. */
export async function listMembers(
  { sql: database, tenant_id }: TenantScope,
  { slice_id, after, limit }: { readonly slice_id: string; readonly after: number; readonly limit: number },
): Promise<SliceMemberItem[]> {
  const { rows } = await database.execute<
    Record<string, unknown> &
      Omit<SliceMemberItem, 'episode'> &
      Omit<EpisodeItemRow, 'id' | 'value' | 'score'> & { id: string | null; readiness: number | null }
  >(sql`
    SELECT ${shownOfEpisodes}, ${e.score} AS readiness, ${m.place} AS place, ${m.episode_id} AS member_id,
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

export async function lockSlice(
  scope: TenantScope,
  key: SliceKey,
  lock: { readonly locked_at: Date; readonly locked_by: string },
): Promise<void> {
  await scope.sql.update(s).set(lock).where(itself(scope, key));
}

/** With its members. In a transaction. */
export async function deleteSlice(scope: TenantScope, key: SliceKey): Promise<void> {
  await scope.sql.delete(m).where(and(eq(m.tenant_id, scope.tenant_id), eq(m.slice_id, key.slice_id)));
  await scope.sql.delete(s).where(itself(scope, key));
}

/** Every member in its order: at most a hundred thousand short rows. */
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

/** The receipts of now of these episodes, by episode. */
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
 * Which of these episodes belong to a locked evaluation set, and to which: nothing for training may hold them. For
 * exports and curation.
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
