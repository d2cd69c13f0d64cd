import { type SQL, sql } from 'drizzle-orm';
import { embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e, receipts } from '../../schema/episodes.ts';
import { projectCounts as c } from '../../schema/project-counts.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type EpisodeItemRow, shownOfEpisodes } from '../episode-pages.ts';
import { candidates, isOpen, type Likeness, orderOf, passing, type SearchScope } from './candidates.ts';

/** Where a page ended. */
export interface SearchPlace {
  readonly far: number;
  readonly id: string;
}

/** `far`: the less the better, as `candidates` says. */
export type SearchHit = Omit<EpisodeItemRow, 'value'> & {
  readonly far: number;
  readonly from_s: number | null;
  readonly to_s: number | null;
};

/** The best of what passes and can be ranked, behind `after`. */
export async function bestEpisodes(
  scope: TenantScope,
  search: SearchScope,
  { after, limit }: { readonly after: SearchPlace | null; readonly limit: number },
): Promise<SearchHit[]> {
  const behind =
    after === null
      ? sql``
      : search.ranking.by === 'age'
        ? sql`WHERE episode_id < ${after.id}`
        : sql`WHERE far > ${after.far}::float8 OR (far = ${after.far}::float8 AND episode_id < ${after.id})`;
  const { rows } = await scope.sql.execute<SearchHit & Record<string, unknown>>(sql`
    SELECT ${shownOfEpisodes}, best.far, best.from_s, best.to_s
    FROM (SELECT * FROM (${candidates(scope, search)}) AS c ${behind} ORDER BY ${orderOf(search)} LIMIT ${limit}) AS best
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = best.episode_id
    ORDER BY best.far, best.episode_id DESC`);
  return rows;
}

export interface MemberRow {
  readonly episode_id: string;
  readonly receipt_hash: string;
  readonly far: number;
}

/** The best of them with their receipts of now, for slices. */
export async function bestMembers(
  scope: TenantScope,
  search: SearchScope,
  most: number,
): Promise<MemberRow[]> {
  const { rows } = await scope.sql.execute<MemberRow & Record<string, unknown>>(sql`
    SELECT best.episode_id, ${receipts.content_hash} AS receipt_hash, best.far
    FROM (SELECT * FROM (${candidates(scope, search)}) AS c ORDER BY ${orderOf(search)} LIMIT ${most}) AS best
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = best.episode_id
    JOIN ${receipts} ON ${receipts.tenant_id} = ${scope.tenant_id} AND ${receipts.id} = ${e.receipt_id}
    ORDER BY best.far, best.episode_id DESC`);
  return rows;
}

/** How many pass the filter, from what is counted as episodes are written where it lets all pass. */
export async function countPassing(scope: TenantScope, search: SearchScope): Promise<number> {
  if (!isOpen(search)) return countOf(scope, sql`SELECT FROM ${e} WHERE ${passing(scope, search)}`);
  const { rows } = await scope.sql.execute<{ n: number }>(sql`
    SELECT coalesce(sum(${c.episodes}), 0)::int AS n FROM ${c}
    WHERE ${c.tenant_id} = ${scope.tenant_id} AND ${c.project_id} = ${search.project_id}`);
  return rows[0].n - (search.ranking.by === 'like' ? 1 : 0);
}

/** How many of them can be ranked, where that is not a question of what descriptors made. */
export const countCandidates = (scope: TenantScope, search: SearchScope): Promise<number> =>
  countOf(scope, sql`SELECT FROM (${candidates(scope, search)}) AS c`);

async function countOf({ sql: database }: TenantScope, rows: SQL): Promise<number> {
  const counted = await database.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM (${rows}) AS r`);
  return counted.rows[0].n;
}

export interface DescribedCount {
  readonly version: number;
  /** Null: there is no vector, for this reason. */
  readonly layout: string | null;
  readonly reason: string | null;
  readonly episodes: number;
}

/** What passes, and of that what a descriptor made: how many of each version and layout, and of each reason. */
export async function countDescribed(
  scope: TenantScope,
  search: SearchScope,
  { descriptor, episode_id }: Likeness,
): Promise<{ readonly matched: number; readonly described: readonly DescribedCount[] }> {
  const own = sql`${v.tenant_id} = ${scope.tenant_id} AND ${v.project_id} = ${search.project_id}
    AND ${v.descriptor} = ${descriptor} AND ${v.episode_id} <> ${episode_id}`;
  const open = isOpen(search);
  // Once for all three counts.
  const passed = open
    ? sql``
    : sql`WITH f AS MATERIALIZED (SELECT ${e.id} FROM ${e} WHERE ${passing(scope, search)})`;
  const among = open ? sql`` : sql`AND ${v.episode_id} IN (SELECT id FROM f)`;
  const all = open ? sql`` : sql`UNION ALL SELECT NULL, NULL, NULL, count(*)::int FROM f`;
  const { rows } = await scope.sql.execute<
    Omit<DescribedCount, 'version'> & { version: number | null } & Record<string, unknown>
  >(sql`${passed}
    SELECT ${v.version} AS version, ${v.layout} AS layout, NULL AS reason, count(*)::int AS episodes
    FROM ${v} WHERE ${own} AND ${v.vector} IS NOT NULL ${among} GROUP BY 1, 2
    UNION ALL SELECT ${v.version}, NULL, ${v.reason}, count(*)::int
    FROM ${v} WHERE ${own} AND ${v.vector} IS NULL ${among} GROUP BY 1, 3 ${all}`);
  const described = rows.filter((row): row is typeof row & DescribedCount => row.version !== null);
  const matched = rows.find(({ version }) => version === null)?.episodes;
  return { matched: matched ?? (await countPassing(scope, search)), described };
}
