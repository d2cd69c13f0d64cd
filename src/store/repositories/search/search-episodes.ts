import type { Database } from '../../database/database.ts';
import { type SQL, sql } from '../../drizzle.ts';
import { episodes as e, receipts } from '../../schema/episodes.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type EpisodeItemRow, shownOfEpisodes } from '../episode-pages.ts';
import { candidates, type Likeness, orderOf, type SearchScope } from './candidates.ts';
import type { Ranked } from './counts.ts';
import { hasNearIndex, manyVectors } from './near-index.ts';
import { lookFurther, most_neighbours, nearest, nearestToLook } from './nearest.ts';
import { saidByTask } from './said-by-task.ts';

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

interface PageOfBest {
  readonly after: SearchPlace | null;
  readonly limit: number;
  /** What was counted of the same search; likeness looks at fewer episodes by it. */
  readonly ranked: Ranked;
}

/** Hits; `exact` where every vector was compared. */
interface FoundPage {
  readonly hits: readonly SearchHit[];
  readonly exact: boolean;
}

/** The best of what passes and can be ranked, behind `after`. */
export async function bestEpisodes(
  scope: TenantScope & { readonly database: Database },
  search: SearchScope,
  { after, limit, ranked }: PageOfBest,
): Promise<FoundPage> {
  const { ranking } = search;
  const behind =
    after === null
      ? sql``
      : ranking.by === 'age'
        ? sql`WHERE episode_id < ${after.id}`
        : sql`WHERE (far > ${after.far}::float8 OR (far = ${after.far}::float8 AND episode_id < ${after.id}))`;
  const page = (from: SQL) => pageOf(scope, search, sql`SELECT * FROM (${from}) AS c ${behind}`, limit);
  const exact = async (from: SQL) => ({ hits: await page(from), exact: true });
  if (ranking.by === 'text' && ranked.by_task)
    return exact(saidByTask(scope, search, ranking.text, { limit, behind, from: after?.far ?? null }));
  const count = ranking.by === 'like' ? nearestToLook(ranking, ranked, limit) : null;
  if (ranking.by === 'like' && count !== null) {
    const look = { count, behind, indexed: false };
    if (await isIndexed(scope, search, ranking, { count, ranked })) {
      const hits = await scope.database.transaction(async () => {
        await scope.sql.execute(lookFurther(count));
        return page(nearest(scope, search, ranking, { ...look, indexed: true }));
      });
      if (hits.length === limit) return { hits, exact: false };
    }
    const found = await exact(nearest(scope, search, ranking, look));
    if (found.hits.length === limit) return found;
  }
  return exact(candidates(scope, search));
}

const isIndexed = async (
  scope: TenantScope,
  { project_id }: SearchScope,
  ranking: Likeness,
  { count, ranked }: { readonly count: number; readonly ranked: Ranked },
): Promise<boolean> =>
  !ranking.moments &&
  ranked.comparable >= manyVectors &&
  count <= most_neighbours &&
  hasNearIndex(scope, project_id, ranking);

async function pageOf(
  scope: TenantScope,
  search: SearchScope,
  from: SQL,
  limit: number,
): Promise<SearchHit[]> {
  const { rows } = await scope.sql.execute<SearchHit & Record<string, unknown>>(sql`
    SELECT ${shownOfEpisodes}, best.far, best.from_s, best.to_s
    FROM (${from} ORDER BY ${orderOf(search)} LIMIT ${limit}) AS best
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
