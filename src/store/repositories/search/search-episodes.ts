import type { Database, TenantScope } from '../../database/database.ts';
import { type SQL, sql } from '../../drizzle.ts';
import { embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e, receipts } from '../../schema/episodes.ts';
import { type EpisodeItemRow, listedColumnsSql } from '../episode-pages.ts';
import {
  candidatesQuery,
  comparableCondition,
  distanceExpression,
  filterCondition,
  isUnfiltered,
  meaningCandidates,
  noMomentColumns,
  rankingOrder,
  type SearchScope,
  type SimilarityRanking,
} from './candidates.ts';
import { candidatesByTask, type SearchCounts } from './counts.ts';
import { hasNearIndex, minIndexedVectors } from './near-index.ts';

/** Position of the last hit of a page. */
export interface SearchPosition {
  readonly far: number;
  readonly id: string;
}

/** A hit. Smaller `far` is better, see `candidatesQuery`. */
export type SearchHit = Omit<EpisodeItemRow, 'value'> & {
  readonly far: number;
  readonly from_s: number | null;
  readonly to_s: number | null;
};

interface PageQuery {
  readonly after: SearchPosition | null;
  readonly limit: number;
  /** Counts of the same search; similarity searches use them to read fewer episodes. */
  readonly ranked: SearchCounts;
}

/** Hits; `exact` is true if all vectors were compared. */
interface ResultPage {
  readonly hits: readonly SearchHit[];
  readonly exact: boolean;
}

/** Returns the best matching episodes after `after`, at most `limit`, best first, and whether all vectors were compared. */
export async function bestEpisodes(
  scope: TenantScope & { readonly database: Database },
  search: SearchScope,
  { after, limit, ranked }: PageQuery,
): Promise<ResultPage> {
  const { ranking } = search;
  const behind =
    after === null
      ? sql``
      : ranking.by === 'age'
        ? sql`WHERE episode_id < ${after.id}`
        : sql`WHERE (far > ${after.far}::float8 OR (far = ${after.far}::float8 AND episode_id < ${after.id}))`;
  const page = (from: SQL) => fetchPage(scope, search, sql`SELECT * FROM (${from}) AS c ${behind}`, limit);
  const exact = async (from: SQL) => ({ hits: await page(from), exact: true });
  if ((ranking.by === 'text' || ranking.by === 'meaning') && ranked.by_task)
    return exact(candidatesByTask(scope, search, ranking, { limit, behind, from: after?.far ?? null }));
  if (ranking.by === 'meaning') {
    const found = await exact(meaningCandidates(scope, search, ranking, nearestTexts));
    if (found.hits.length === limit) return found;
  }
  const count = ranking.by === 'like' ? nearestCount(ranking, ranked, limit) : null;
  if (ranking.by === 'like' && count !== null) {
    const look = { count, behind, indexed: false };
    if (await canUseIndex(scope, search, ranking, { count, ranked })) {
      const hits = await scope.database.transaction(async () => {
        await scope.sql.execute(scanSettings(count));
        return page(nearestQuery(scope, search, ranking, { ...look, indexed: true }));
      });
      if (hits.length === limit) return { hits, exact: false };
    }
    const found = await exact(nearestQuery(scope, search, ranking, look));
    if (found.hits.length === limit) return found;
  }
  return exact(candidatesQuery(scope, search));
}

const canUseIndex = async (
  scope: TenantScope,
  { project_id }: SearchScope,
  ranking: SimilarityRanking,
  { count, ranked }: { readonly count: number; readonly ranked: SearchCounts },
): Promise<boolean> =>
  !ranking.moments &&
  ranked.comparable >= minIndexedVectors &&
  count <= maxNeighbours &&
  hasNearIndex(scope, project_id, ranking);

async function fetchPage(
  scope: TenantScope,
  search: SearchScope,
  from: SQL,
  limit: number,
): Promise<SearchHit[]> {
  const { rows } = await scope.sql.execute<SearchHit & Record<string, unknown>>(sql`
    SELECT ${listedColumnsSql}, best.far, best.from_s, best.to_s
    FROM (${from} ORDER BY ${rankingOrder(search)} LIMIT ${limit}) AS best
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = best.episode_id
    ORDER BY best.far, best.episode_id DESC`);
  return rows;
}

/** Closest texts whose episodes are looked up first in a search by meaning. */
const nearestTexts = 200;

/** A hit with its receipt. */
export interface MemberRow {
  readonly episode_id: string;
  readonly receipt_hash: string;
  readonly far: number;
}

/** Returns the best matching episodes with their current receipts, at most `maxRows`, best first, for slices. */
export async function bestMembers(
  scope: TenantScope,
  search: SearchScope,
  maxRows: number,
): Promise<MemberRow[]> {
  const { rows } = await scope.sql.execute<MemberRow & Record<string, unknown>>(sql`
    SELECT best.episode_id, ${receipts.content_hash} AS receipt_hash, best.far
    FROM (SELECT * FROM (${candidatesQuery(scope, search)}) AS c ORDER BY ${rankingOrder(search)} LIMIT ${maxRows}) AS best
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = best.episode_id
    JOIN ${receipts} ON ${receipts.tenant_id} = ${scope.tenant_id} AND ${receipts.id} = ${e.receipt_id}
    ORDER BY best.far, best.episode_id DESC`);
  return rows;
}

/** Below this number of ranked episodes, reading their vectors is cheaper than comparing all. */
const minRankedForNearest = 4000;
/** Maximum number of nearest vectors that are read. */
const maxNearest = 20_000;
/** Moments of one episode are similar: up to six of them may be one hit. */
const maxMomentsPerEpisode = 6;

/**
 * Returns how many nearest vectors, matching or not, contain twice `limit` matching ones if the filter is independent
 * of similarity; null if reading the matching episodes is cheaper.
 */
function nearestCount(
  { moments }: SimilarityRanking,
  { matched, ranked, comparable: all }: SearchCounts,
  limit: number,
): number | null {
  if (ranked < minRankedForNearest) return null;
  const count = Math.ceil((2 * limit * all * (moments ? maxMomentsPerEpisode : 1)) / matched);
  return count > maxNearest ? null : count;
}

interface NearestOptions {
  /** Number of nearest vectors, matching or not. */
  readonly count: number;
  /** Condition on `far` and `episode_id`. */
  readonly behind: SQL;
  /** Uses an HNSW index, which may miss some vectors. */
  readonly indexed: boolean;
}

/**
 * Returns a query for the matching ones of the `count` nearest vectors, as rows of `candidatesQuery`. If it fills a
 * page, the page equals that of comparing all vectors; if not, nothing is known.
 */
function nearestQuery(
  scope: TenantScope,
  search: SearchScope,
  ranking: SimilarityRanking,
  { count, behind, indexed }: NearestOptions,
): SQL {
  const near = ranking.moments
    ? nearestMomentsQuery(scope, search, ranking, count)
    : indexed
      ? neighboursQuery(scope, search, ranking, { count, behind })
      : sql`SELECT * FROM (SELECT ${v.episode_id} AS episode_id, ${distanceExpression(ranking)} AS far, ${noMomentColumns}
        FROM ${v} WHERE ${comparableCondition(scope, search, ranking)}) AS each ${behind}
      ORDER BY far, episode_id DESC LIMIT ${count}`;
  if (isUnfiltered(search)) return near;
  return sql`SELECT near.* FROM (${near}) AS near
    JOIN ${e} ON ${e.id} = near.episode_id WHERE ${filterCondition(scope, search)}`;
}

/** Returns a query for the nearest moment of each episode with one among the nearest. */
const nearestMomentsQuery = (
  scope: TenantScope,
  search: SearchScope,
  ranking: SimilarityRanking,
  count: number,
): SQL =>
  sql`SELECT DISTINCT ON (episode_id) episode_id, far, from_s, to_s
    FROM (SELECT ${m.episode_id} AS episode_id, ${distanceExpression(ranking)} AS far, ${m.from_s} AS from_s, ${m.to_s} AS to_s,
        ${m.part} AS part
      FROM ${m} WHERE ${comparableCondition(scope, search, ranking)} ORDER BY 2, 1 DESC, 5 LIMIT ${count}) AS near
    ORDER BY episode_id, far, part`;

/** Maximum number of nearest vectors requested from an HNSW index; for more, comparing all is as cheap. */
const maxNeighbours = 5000;

/**
 * Returns a query for neighbours by the HNSW index, which compares half-precision vectors. Must run in a transaction
 * with `scanSettings`.
 */
const neighboursQuery = (
  scope: TenantScope,
  search: SearchScope,
  ranking: SimilarityRanking,
  { count, behind }: Pick<NearestOptions, 'count' | 'behind'>,
): SQL => {
  const { vector } = ranking;
  const halved = sql.raw(`halfvec(${vector.split(',').length})`);
  return sql`SELECT * FROM (SELECT each.* FROM (
      SELECT ${v.episode_id} AS episode_id, ${distanceExpression(ranking)} AS far, ${noMomentColumns}, ${v.vector} AS vector
      FROM ${v} WHERE ${comparableCondition(scope, search, ranking)}) AS each ${behind}
    ORDER BY (each.vector::${halved}) <#> ${vector}::${halved} LIMIT ${count}) AS near`;
};

/**
 * Returns a statement that makes the HNSW index scan more vectors than requested and continue while results are
 * filtered out; valid in the transaction.
 */
const scanSettings = (
  count: number,
): SQL => sql`SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
  set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(200, count)))}, true),
  set_config('hnsw.max_scan_tuples', '100000', true)`;
