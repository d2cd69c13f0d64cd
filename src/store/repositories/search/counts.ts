import type { TenantScope } from '../../database/database.ts';
import { type SQL, sql } from '../../drizzle.ts';
import { annotationCounts as n } from '../../schema/annotations.ts';
import { embeddingCounts as k, embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e } from '../../schema/episodes.ts';
import { projectCounts as c, projectShares as s } from '../../schema/project-counts.ts';
import { textVectors as t } from '../../schema/text-vectors.ts';
import { filterConditions } from '../episode-pages.ts';
import {
  anyWordQuery,
  candidatesQuery,
  comparableCondition,
  countMeaning,
  filterCondition,
  isUnfiltered,
  type MeaningRanking,
  noMomentColumns,
  type Ranking,
  type SearchScope,
  type SimilarityRanking,
  textLayers,
  textVectorCondition,
} from './candidates.ts';

/** Number of episodes with the same result of a descriptor. */
export interface DescribedCount {
  readonly version: number;
  /** Null if there is no vector, for `reason`. */
  readonly layout: string | null;
  readonly reason: string | null;
  readonly episodes: number;
}

/** Counts of a search. */
export interface SearchCounts {
  readonly matched: number;
  /** Number of matching episodes that can be ranked. */
  readonly ranked: number;
  /** Matching episodes that cannot be ranked, by what the descriptor produced instead. */
  readonly described: readonly DescribedCount[];
  /** Only for similarity: number of comparable episodes, matching or not. */
  readonly comparable: number;
  /** Only for text and meaning: true if only tasks contain text, so that each task is examined once. */
  readonly by_task: boolean;
}

/**
 * Returns the number of episodes that match a search and of those that can be ranked, from stored counts where the filter
 * allows it.
 */
export async function countRanked(scope: TenantScope, search: SearchScope): Promise<SearchCounts> {
  const { ranking } = search;
  if (ranking.by === 'like') return countSimilar(scope, search, ranking);
  const matched = await countPassing(scope, search);
  const none = { matched, described: [], comparable: 0 };
  if (ranking.by === 'age' || matched === 0) return { ...none, ranked: matched, by_task: false };
  const by_task = !(await hasTexts(scope, search));
  if (by_task)
    return { ...none, ranked: await runCount(scope, countByTask(scope, search, ranking)), by_task };
  const ranked =
    ranking.by === 'meaning'
      ? await runCount(scope, countMeaning(scope, search, ranking))
      : await runCount(
          scope,
          sql`SELECT count(*)::int AS n FROM (SELECT FROM (${candidatesQuery(scope, search)}) AS c) AS r`,
        );
  return { ...none, ranked, by_task };
}

/** Counts matching episodes: from stored counts if the filter allows it, else from the episodes. */
async function countPassing(scope: TenantScope, search: SearchScope): Promise<number> {
  const { decision, stream_kind, ...others } = search.filter;
  if (filterConditions(others).length > 0)
    return runCount(scope, sql`SELECT count(*)::int AS n FROM ${e} WHERE ${filterCondition(scope, search)}`);
  const restriction = (column: SQL, values: readonly string[] | undefined) =>
    values === undefined ? sql`` : sql`AND ${column} = ANY(${sql.param([...values])}::text[])`;
  const all = await runCount(
    scope,
    sql`SELECT coalesce(sum(${c.episodes}), 0)::int AS n FROM ${c}
      WHERE ${c.tenant_id} = ${scope.tenant_id} AND ${c.project_id} = ${search.project_id}
        ${restriction(sql`${c.decision}`, decision)} ${restriction(sql`${c.stream_kind}`, stream_kind)}`,
  );
  const { ranking } = search;
  if (ranking.by !== 'like') return all;
  // Excludes the episode that is compared with if it matches the filter.
  const queries = filterCondition(scope, { ...search, ranking: { by: 'age' } });
  const itself = sql`SELECT count(*)::int AS n FROM ${e} WHERE ${queries} AND ${e.id} = ${ranking.episode_id}`;
  return all - (await runCount(scope, itself));
}

const countAll = (scope: TenantScope, { project_id }: SearchScope): Promise<number> =>
  runCount(
    scope,
    sql`SELECT coalesce(sum(${c.episodes}), 0)::int AS n FROM ${c}
      WHERE ${c.tenant_id} = ${scope.tenant_id} AND ${c.project_id} = ${project_id}`,
  );

/** Returns true if some episode has a text layer. */
async function hasTexts(scope: TenantScope, { project_id }: SearchScope): Promise<boolean> {
  const texts = sql`SELECT coalesce(sum(${n.episodes}), 0)::int AS n FROM ${n} WHERE ${n.tenant_id} = ${scope.tenant_id}
    AND ${n.project_id} = ${project_id} AND ${n.layer} = ANY(${sql.param([...textLayers])}::text[])`;
  return (await runCount(scope, texts)) > 0;
}

async function runCount({ sql: database }: TenantScope, query: SQL): Promise<number> {
  const counted = await database.execute<{ n: number }>(query);
  return counted.rows[0].n;
}

async function countSimilar(
  scope: TenantScope,
  search: SearchScope,
  ranking: SimilarityRanking,
): Promise<SearchCounts> {
  const describedCounts = await countDescribed(scope, search, ranking);
  const open = isUnfiltered(search);
  const matched = await countPassing(scope, search);
  const isSame = (one: DescribedCount) =>
    one.reason === null && one.version === ranking.version && one.layout === ranking.layout;
  const described = open
    ? describedCounts
    : await countDescribedPassing(scope, search, ranking, { made: describedCounts, matched });
  const of = (counts: readonly DescribedCount[]) => counts.find(isSame)?.episodes ?? 0;
  return {
    matched,
    ranked: ranking.moments ? await countMoments(scope, search, ranking) : of(described),
    described: described.filter((one) => !isSame(one)),
    comparable: of(describedCounts),
    by_task: false,
  };
}

type CountRow = DescribedCount & Record<string, unknown>;

/** Counts the results of a descriptor for the episodes of a project except the compared one, most frequent first. */
async function countDescribed(scope: TenantScope, { project_id }: SearchScope, ranking: SimilarityRanking) {
  const { descriptor, version, layout } = ranking;
  const { rows } = await scope.sql.execute<CountRow>(sql`
    SELECT version, CASE WHEN reason = '' THEN layout END AS layout, nullif(reason, '') AS reason, episodes::int
    FROM (SELECT ${k.version} AS version, ${k.layout} AS layout, ${k.reason} AS reason,
        ${k.episodes} - (${k.version} = ${version} AND ${k.layout} = ${layout} AND ${k.reason} = '')::int AS episodes
      FROM ${k} WHERE ${k.tenant_id} = ${scope.tenant_id} AND ${k.project_id} = ${project_id}
        AND ${k.descriptor} = ${descriptor}) AS made
    WHERE episodes > 0 ORDER BY episodes DESC, version, layout, reason`);
  return rows;
}

/**
 * Counts the results of a descriptor for matching episodes. If every episode was described, the most frequent result is
 * computed as the rest of the others, so that the vectors of a single robot need not be read to be counted.
 */
async function countDescribedPassing(
  scope: TenantScope,
  search: SearchScope,
  ranking: SimilarityRanking,
  { made, matched }: { readonly made: readonly DescribedCount[]; readonly matched: number },
): Promise<readonly DescribedCount[]> {
  if (matched === 0) return [];
  const all = (await countAll(scope, search)) - 1;
  const whole = made.reduce((sum, { episodes }) => sum + episodes, 0) === all;
  const [first, ...others] = made;
  if (!whole || first === undefined) return countEach(scope, search, ranking, made);
  const rest = await countEach(scope, search, ranking, others);
  const remaining = matched - rest.reduce((sum, { episodes }) => sum + episodes, 0);
  return remaining > 0 ? [{ ...first, episodes: remaining }, ...rest] : rest;
}

/**
 * Returns the number of matching episodes for each kind of result in `sorts`, without the compared episode; kinds without
 * episodes are left out.
 */
async function countEach(
  scope: TenantScope,
  search: SearchScope,
  { descriptor, episode_id }: SimilarityRanking,
  sorts: readonly DescribedCount[],
): Promise<readonly DescribedCount[]> {
  const projectCondition = sql`${v.tenant_id} = ${scope.tenant_id} AND ${v.project_id} = ${search.project_id}
    AND ${v.descriptor} = ${descriptor} AND ${v.episode_id} <> ${episode_id}`;
  const restriction = sql`${v.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${filterCondition(scope, search)})`;
  const queries: SQL[] = sorts
    .filter(({ layout }) => layout !== null)
    .map(
      ({
        version,
        layout,
      }) => sql`SELECT ${version}::int AS version, ${layout}::text AS layout, NULL AS reason,
          count(*)::int AS episodes FROM ${v}
        WHERE ${projectCondition} AND ${v.version} = ${version} AND ${v.layout} = ${layout} AND ${v.vector} IS NOT NULL AND ${restriction}`,
    );
  if (sorts.some(({ reason }) => reason !== null))
    queries.push(sql`SELECT ${v.version} AS version, NULL AS layout,
        coalesce(nullif(${v.reason}, ''), 'it has no vector') AS reason, count(*)::int AS episodes
      FROM ${v} WHERE ${projectCondition} AND ${v.vector} IS NULL AND ${restriction} GROUP BY 1, 3`);
  if (queries.length === 0) return [];
  const { rows } = await scope.sql.execute<CountRow>(sql.join(queries, sql` UNION ALL `));
  return rows.filter(({ episodes }) => episodes > 0);
}

/** Counts matching episodes with comparable moments, by the first moment of each. */
function countMoments(scope: TenantScope, search: SearchScope, ranking: SimilarityRanking): Promise<number> {
  const restriction = isUnfiltered(search)
    ? sql``
    : sql`AND ${m.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${filterCondition(scope, search)})`;
  return runCount(
    scope,
    sql`SELECT count(*)::int AS n FROM ${m} WHERE ${comparableCondition(scope, search, ranking)} AND ${m.part} = 1 ${restriction}`,
  );
}

/** Ranking by the words or the meaning of a text. */
type TextRanking = Extract<Ranking, { by: 'text' }> | MeaningRanking;

/**
 * Returns a query for tasks that contain one of the words, or for all tasks with a vector, with columns (task_key, n,
 * far), where `n` is the number of matching episodes. If only tasks contain text, episodes of one task are equal for a
 * text search: each task is examined once, however many episodes have it.
 */
function matchingTasks(scope: TenantScope, search: SearchScope, ranking: TextRanking): SQL {
  const owned = sql`${e.tenant_id} = ${scope.tenant_id} AND ${e.project_id} = ${search.project_id}`;
  const tasks = isUnfiltered(search)
    ? sql`SELECT ${s.key} AS task_key, ${s.episodes}::int AS n FROM ${s} WHERE ${s.tenant_id} = ${scope.tenant_id}
        AND ${s.project_id} = ${search.project_id} AND ${s.facet} = 'task' AND ${s.episodes} > 0`
    : sql`SELECT ${e.task_key} AS task_key, count(*)::int AS n FROM ${e} WHERE ${filterCondition(scope, search)} GROUP BY 1`;
  if (ranking.by === 'meaning')
    return sql`SELECT task.task_key, task.n, ${t.vector} <#> ${ranking.vector}::vector AS far
      FROM (${tasks}) AS task JOIN ${t} ON ${t.key} = task.task_key WHERE ${textVectorCondition(scope, search, ranking)}`;
  return sql`SELECT task.task_key, task.n, -ts_rank(one.task_words, asked, 32)::float8 AS far
    FROM ${anyWordQuery(ranking.text)} AS asked CROSS JOIN (${tasks}) AS task CROSS JOIN LATERAL (
      SELECT ${e.task_words} AS task_words FROM ${e} WHERE ${owned} AND ${e.task_key} = task.task_key LIMIT 1) AS one
    WHERE one.task_words @@ asked`;
}

/** Returns a query for the number `n` of episodes of `matchingTasks`. */
const countByTask = (scope: TenantScope, search: SearchScope, ranking: TextRanking): SQL =>
  sql`SELECT coalesce(sum(n), 0)::int AS n FROM (${matchingTasks(scope, search, ranking)}) AS told`;

/**
 * Returns a query for unsorted rows of `candidatesQuery`, at least the `limit` best from rank `from` on (`null`: all
 * ranks), for projects in which only tasks contain text. `behind` is a condition on `far` and `episode_id` that
 * excludes everything better than `from`.
 */
export function candidatesByTask(
  scope: TenantScope,
  search: SearchScope,
  ranking: TextRanking,
  { limit, behind, from }: { readonly limit: number; readonly behind: SQL; readonly from: number | null },
): SQL {
  // A page needs no task if the better ones have as many episodes as the page.
  const first = sql`SELECT task_key, n, far FROM (
      SELECT told.*, coalesce(sum(n) OVER (ORDER BY far RANGE UNBOUNDED PRECEDING EXCLUDE GROUP), 0) AS better
      FROM told ${from === null ? sql`` : sql`WHERE far > ${from}::float8`}) AS sorted
    WHERE better < ${limit}`;
  const tieQuery = from === null ? sql`` : sql`UNION ALL SELECT * FROM told WHERE far = ${from}::float8`;
  const own = sql`SELECT ${e.id} AS episode_id, best.far AS far, ${noMomentColumns}
    FROM ${e} WHERE ${filterCondition(scope, search)} AND ${e.task_key} = best.task_key`;
  return sql`WITH told AS MATERIALIZED (${matchingTasks(scope, search, ranking)}), best AS ((${first}) ${tieQuery})
    SELECT each.* FROM best CROSS JOIN LATERAL (
      SELECT * FROM (${own}) AS c ${behind} ORDER BY episode_id DESC LIMIT ${limit}) AS each`;
}
