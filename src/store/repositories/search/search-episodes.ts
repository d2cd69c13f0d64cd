import type { Database } from '../../database/database.ts';
import { type SQL, sql } from '../../drizzle.ts';
import { embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e, receipts } from '../../schema/episodes.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type EpisodeItemRow, shownOfEpisodes } from '../episode-pages.ts';
import {
  candidates,
  comparable,
  distance,
  isOpen,
  type Likeness,
  noMoment,
  orderOf,
  passing,
  type SearchScope,
} from './candidates.ts';
import { type Ranked, saidByTask } from './counts.ts';
import { hasNearIndex, manyVectors } from './near-index.ts';

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

/** Below this many, looking up the vectors of what passes is less work than comparing all. */
const few = 4000;
/** How many of the nearest are looked up at most. */
const most_nearest = 20_000;
/** Moments of one episode lie near each other: up to six of them may be one hit. */
const parts = 6;

/**
 * How many of the nearest, whether they pass or not, will hold `limit` that pass if the filter has nothing to do with
 * likeness, twice over; null where what passes is better looked at first.
 */
function nearestToLook(
  { moments }: Likeness,
  { matched, ranked, comparable: all }: Ranked,
  limit: number,
): number | null {
  if (ranked < few) return null;
  const count = Math.ceil((2 * limit * all * (moments ? parts : 1)) / matched);
  return count > most_nearest ? null : count;
}

interface Nearest {
  /** How many, whether they pass or not. */
  readonly count: number;
  /** About `far` and `episode_id`. */
  readonly behind: SQL;
  /** Found by an index of neighbours, which may miss some. */
  readonly indexed: boolean;
}

/**
 * What passes of the `count` nearest, as rows of `candidates`. Whoever finds a page in it has the page that comparing
 * all that pass would give; whoever finds less knows nothing.
 */
function nearest(
  scope: TenantScope,
  search: SearchScope,
  ranking: Likeness,
  { count, behind, indexed }: Nearest,
): SQL {
  const near = ranking.moments
    ? nearMoments(scope, search, ranking, count)
    : indexed
      ? neighbours(scope, search, ranking, { count, behind })
      : sql`SELECT * FROM (SELECT ${v.episode_id} AS episode_id, ${distance(ranking)} AS far, ${noMoment}
        FROM ${v} WHERE ${comparable(scope, search, ranking)}) AS each ${behind}
      ORDER BY far, episode_id DESC LIMIT ${count}`;
  if (isOpen(search)) return near;
  return sql`SELECT near.* FROM (${near}) AS near
    JOIN ${e} ON ${e.id} = near.episode_id WHERE ${passing(scope, search)}`;
}

/** The nearest moment of each episode that has one among the nearest. */
const nearMoments = (scope: TenantScope, search: SearchScope, ranking: Likeness, count: number): SQL =>
  sql`SELECT DISTINCT ON (episode_id) episode_id, far, from_s, to_s
    FROM (SELECT ${m.episode_id} AS episode_id, ${distance(ranking)} AS far, ${m.from_s} AS from_s, ${m.to_s} AS to_s,
        ${m.part} AS part
      FROM ${m} WHERE ${comparable(scope, search, ranking)} ORDER BY 2, 1 DESC, 5 LIMIT ${count}) AS near
    ORDER BY episode_id, far, part`;

/** How many of the nearest an index of neighbours is asked for at most; to find more is no less work than to compare all. */
const most_neighbours = 5000;

/** As an index of neighbours finds them by halved numbers, then by the whole ones. In a transaction of `lookFurther`. */
const neighbours = (
  scope: TenantScope,
  search: SearchScope,
  ranking: Likeness,
  { count, behind }: Pick<Nearest, 'count' | 'behind'>,
): SQL => {
  const { vector } = ranking;
  const halved = sql.raw(`halfvec(${vector.split(',').length})`);
  return sql`SELECT * FROM (SELECT each.* FROM (
      SELECT ${v.episode_id} AS episode_id, ${distance(ranking)} AS far, ${noMoment}, ${v.vector} AS vector
      FROM ${v} WHERE ${comparable(scope, search, ranking)}) AS each ${behind}
    ORDER BY (each.vector::${halved}) <#> ${vector}::${halved} LIMIT ${count}) AS near`;
};

/** For a transaction: the index looks at more than it is asked for, and goes on while what it found does not do. */
const lookFurther = (
  count: number,
): SQL => sql`SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
  set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(200, count)))}, true),
  set_config('hnsw.max_scan_tuples', '100000', true)`;
