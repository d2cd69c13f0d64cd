import { type SQL, sql } from '../../drizzle.ts';
import { embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e } from '../../schema/episodes.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  comparable,
  distance,
  isOpen,
  type Likeness,
  noMoment,
  passing,
  type SearchScope,
} from './candidates.ts';
import type { Ranked } from './counts.ts';

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
export function nearestToLook(
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
export function nearest(
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
export const most_neighbours = 5000;

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
export const lookFurther = (
  count: number,
): SQL => sql`SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
  set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(200, count)))}, true),
  set_config('hnsw.max_scan_tuples', '100000', true)`;
