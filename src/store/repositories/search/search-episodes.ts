import { type SQL, sql } from 'drizzle-orm';
import { embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e, receipts } from '../../schema/episodes.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type EpisodeItemRow, shownOfEpisodes } from '../episode-pages.ts';
import { candidates, isOpen, passing, type SearchScope } from './candidates.ts';

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
      : sql`WHERE far > ${after.far}::float8 OR (far = ${after.far}::float8 AND episode_id < ${after.id})`;
  const { rows } = await scope.sql.execute<SearchHit & Record<string, unknown>>(sql`
    SELECT ${shownOfEpisodes}, best.far, best.from_s, best.to_s
    FROM (SELECT * FROM (${candidates(scope, search)}) AS c ${behind} ORDER BY far, episode_id DESC LIMIT ${limit}) AS best
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
    FROM (SELECT * FROM (${candidates(scope, search)}) AS c ORDER BY far, episode_id DESC LIMIT ${most}) AS best
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = best.episode_id
    JOIN ${receipts} ON ${receipts.tenant_id} = ${scope.tenant_id} AND ${receipts.id} = ${e.receipt_id}
    ORDER BY best.far, best.episode_id DESC`);
  return rows;
}

/** How many pass the filter, and how many of those can be ranked. */
export async function countCoverage(
  scope: TenantScope,
  search: SearchScope,
): Promise<{ readonly matched: number; readonly ranked: number }> {
  const matched = await countOf(scope, sql`SELECT FROM ${e} WHERE ${passing(scope, search)}`);
  if (search.ranking.by === 'age' || matched === 0) return { matched, ranked: matched };
  return { matched, ranked: await countOf(scope, sql`SELECT FROM (${candidates(scope, search)}) AS c`) };
}

async function countOf({ sql: database }: TenantScope, rows: SQL): Promise<number> {
  const counted = await database.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM (${rows}) AS r`);
  return counted.rows[0].n;
}

export interface Unranked {
  /** Null: no run has described it yet. */
  readonly version: number | null;
  readonly layout: string | null;
  readonly reason: string | null;
  readonly episodes: number;
}

/** Of what passes and has no vector to be compared by: how many, by what there is instead. */
export async function countUnranked(scope: TenantScope, search: SearchScope): Promise<Unranked[]> {
  const { ranking, project_id } = search;
  if (ranking.by !== 'like') return [];
  const { descriptor, version, layout } = ranking;
  const described = sql`${v.tenant_id} = ${scope.tenant_id} AND ${v.project_id} = ${project_id}
    AND ${v.descriptor} = ${descriptor}`;
  const other = sql`(${v.version} <> ${version} OR ${v.layout} <> ${layout} OR ${v.vector} IS NULL)`;
  const own = isOpen(search)
    ? sql`true`
    : sql`${v.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${passing(scope, search)})`;
  const { rows } = await scope.sql.execute<Unranked & Record<string, unknown>>(sql`
    SELECT ${v.version} AS version, ${v.layout} AS layout, ${v.reason} AS reason, count(*)::int AS episodes
    FROM ${v} WHERE ${described} AND ${other} AND ${own} GROUP BY 1, 2, 3`);
  return rows;
}
