import { type SQL, sql } from '../../drizzle.ts';
import { annotationCounts as n } from '../../schema/annotations.ts';
import { embeddingCounts as k, embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e } from '../../schema/episodes.ts';
import { projectCounts as c } from '../../schema/project-counts.ts';
import { projectShares as s } from '../../schema/project-shares.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { conditionsOf } from '../episode-pages.ts';
import {
  anyWordOf,
  candidates,
  comparable,
  isOpen,
  type Likeness,
  noMoment,
  passing,
  type SearchScope,
  textLayers,
} from './candidates.ts';

export interface DescribedCount {
  readonly version: number;
  /** Null: there is no vector, for this reason. */
  readonly layout: string | null;
  readonly reason: string | null;
  readonly episodes: number;
}

/** What passes a search's filter, counted. */
export interface Ranked {
  readonly matched: number;
  /** Of those, can be ranked. */
  readonly ranked: number;
  /** Of those, why not: all that a descriptor made otherwise, or could not make. */
  readonly described: readonly DescribedCount[];
  /** Of likeness: how many can be compared, whether they pass or not. */
  readonly comparable: number;
  /** Of words: nothing but the tasks of episodes says any, so that each task need be looked at once. */
  readonly by_task: boolean;
}

/** Counts what passes and can be ranked. */
export async function countRanked(scope: TenantScope, search: SearchScope): Promise<Ranked> {
  const { ranking } = search;
  if (ranking.by === 'like') return countAlike(scope, search, ranking);
  const matched = await countPassing(scope, search);
  const none = { matched, described: [], comparable: 0 };
  if (ranking.by === 'age' || matched === 0) return { ...none, ranked: matched, by_task: false };
  const by_task = !(await hasTexts(scope, search));
  const ranked = by_task
    ? await countOf(scope, countByTask(scope, search, ranking.text))
    : await countOf(
        scope,
        sql`SELECT count(*)::int AS n FROM (SELECT FROM (${candidates(scope, search)}) AS c) AS r`,
      );
  return { ...none, ranked, by_task };
}

/** From what is counted as episodes are written, where the filter asks for nothing else; else by looking at episodes. */
async function countPassing(scope: TenantScope, search: SearchScope): Promise<number> {
  const { decision, stream_kind, ...others } = search.filter;
  if (conditionsOf(others).length > 0)
    return countOf(scope, sql`SELECT count(*)::int AS n FROM ${e} WHERE ${passing(scope, search)}`);
  const among = (column: SQL, values: readonly string[] | undefined) =>
    values === undefined ? sql`` : sql`AND ${column} = ANY(${sql.param([...values])}::text[])`;
  const all = await countOf(
    scope,
    sql`SELECT coalesce(sum(${c.episodes}), 0)::int AS n FROM ${c}
      WHERE ${c.tenant_id} = ${scope.tenant_id} AND ${c.project_id} = ${search.project_id}
        ${among(sql`${c.decision}`, decision)} ${among(sql`${c.stream_kind}`, stream_kind)}`,
  );
  const { ranking } = search;
  if (ranking.by !== 'like') return all;
  // The one that is compared with, where it passes itself.
  const asked = passing(scope, { ...search, ranking: { by: 'age' } });
  const itself = sql`SELECT count(*)::int AS n FROM ${e} WHERE ${asked} AND ${e.id} = ${ranking.episode_id}`;
  return all - (await countOf(scope, itself));
}

const countAll = (scope: TenantScope, { project_id }: SearchScope): Promise<number> =>
  countOf(
    scope,
    sql`SELECT coalesce(sum(${c.episodes}), 0)::int AS n FROM ${c}
      WHERE ${c.tenant_id} = ${scope.tenant_id} AND ${c.project_id} = ${project_id}`,
  );

/** Whether some episode carries a layer that is text. */
async function hasTexts(scope: TenantScope, { project_id }: SearchScope): Promise<boolean> {
  const texts = sql`SELECT coalesce(sum(${n.episodes}), 0)::int AS n FROM ${n} WHERE ${n.tenant_id} = ${scope.tenant_id}
    AND ${n.project_id} = ${project_id} AND ${n.layer} = ANY(${sql.param([...textLayers])}::text[])`;
  return (await countOf(scope, texts)) > 0;
}

async function countOf({ sql: database }: TenantScope, query: SQL): Promise<number> {
  const counted = await database.execute<{ n: number }>(query);
  return counted.rows[0].n;
}

async function countAlike(scope: TenantScope, search: SearchScope, ranking: Likeness): Promise<Ranked> {
  const made = await madeOf(scope, search, ranking);
  const open = isOpen(search);
  const matched = await countPassing(scope, search);
  const isSame = (one: DescribedCount) =>
    one.reason === null && one.version === ranking.version && one.layout === ranking.layout;
  const described = open ? made : await passingOf(scope, search, ranking, { made, matched });
  const of = (counts: readonly DescribedCount[]) => counts.find(isSame)?.episodes ?? 0;
  return {
    matched,
    ranked: ranking.moments ? await countMoments(scope, search, ranking) : of(described),
    described: described.filter((one) => !isSame(one)),
    comparable: of(made),
    by_task: false,
  };
}

type CountRow = DescribedCount & Record<string, unknown>;

/** What a descriptor made of the project's episodes but the one that is compared with, most first. */
async function madeOf(scope: TenantScope, { project_id }: SearchScope, ranking: Likeness) {
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
 * The same of what passes. Where every episode was described, those of the sort that most are of are what is left when
 * the others are counted: vectors of one robot need not be looked up to be counted.
 */
async function passingOf(
  scope: TenantScope,
  search: SearchScope,
  ranking: Likeness,
  { made, matched }: { readonly made: readonly DescribedCount[]; readonly matched: number },
): Promise<readonly DescribedCount[]> {
  if (matched === 0) return [];
  const all = (await countAll(scope, search)) - 1;
  const whole = made.reduce((sum, { episodes }) => sum + episodes, 0) === all;
  const [first, ...others] = made;
  if (!whole || first === undefined) return countEach(scope, search, ranking, made);
  const rest = await countEach(scope, search, ranking, others);
  const left = matched - rest.reduce((sum, { episodes }) => sum + episodes, 0);
  return left > 0 ? [{ ...first, episodes: left }, ...rest] : rest;
}

/** How many of each sort pass. */
async function countEach(
  scope: TenantScope,
  search: SearchScope,
  { descriptor, episode_id }: Likeness,
  sorts: readonly DescribedCount[],
): Promise<readonly DescribedCount[]> {
  const own = sql`${v.tenant_id} = ${scope.tenant_id} AND ${v.project_id} = ${search.project_id}
    AND ${v.descriptor} = ${descriptor} AND ${v.episode_id} <> ${episode_id}`;
  const among = sql`${v.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${passing(scope, search)})`;
  const asked: SQL[] = sorts
    .filter(({ layout }) => layout !== null)
    .map(
      ({
        version,
        layout,
      }) => sql`SELECT ${version}::int AS version, ${layout}::text AS layout, NULL AS reason,
          count(*)::int AS episodes FROM ${v}
        WHERE ${own} AND ${v.version} = ${version} AND ${v.layout} = ${layout} AND ${v.vector} IS NOT NULL AND ${among}`,
    );
  if (sorts.some(({ reason }) => reason !== null))
    asked.push(sql`SELECT ${v.version} AS version, NULL AS layout,
        coalesce(nullif(${v.reason}, ''), 'it has no vector') AS reason, count(*)::int AS episodes
      FROM ${v} WHERE ${own} AND ${v.vector} IS NULL AND ${among} GROUP BY 1, 3`);
  if (asked.length === 0) return [];
  const { rows } = await scope.sql.execute<CountRow>(sql.join(asked, sql` UNION ALL `));
  return rows.filter(({ episodes }) => episodes > 0);
}

/** Episodes that pass and have moments to compare: by the first of each. */
function countMoments(scope: TenantScope, search: SearchScope, ranking: Likeness): Promise<number> {
  const among = isOpen(search)
    ? sql``
    : sql`AND ${m.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${passing(scope, search)})`;
  return countOf(
    scope,
    sql`SELECT count(*)::int AS n FROM ${m} WHERE ${comparable(scope, search, ranking)} AND ${m.part} = 1 ${among}`,
  );
}

/*
 * Where nothing but the task of an episode says any words, episodes of one task say the same: each task is looked at
 * once, however many episodes have it.
 */

/** Tasks that say one of the words: `(task_key, n, far)`, of `n` episodes that pass. */
function tasksSaying(scope: TenantScope, search: SearchScope, text: string): SQL {
  const owned = sql`${e.tenant_id} = ${scope.tenant_id} AND ${e.project_id} = ${search.project_id}`;
  const tasks = isOpen(search)
    ? sql`SELECT ${s.key} AS task_key, ${s.episodes}::int AS n FROM ${s} WHERE ${s.tenant_id} = ${scope.tenant_id}
        AND ${s.project_id} = ${search.project_id} AND ${s.facet} = 'task' AND ${s.episodes} > 0`
    : sql`SELECT ${e.task_key} AS task_key, count(*)::int AS n FROM ${e} WHERE ${passing(scope, search)} GROUP BY 1`;
  return sql`SELECT t.task_key, t.n, -ts_rank(one.task_words, asked, 32)::float8 AS far
    FROM ${anyWordOf(text)} AS asked CROSS JOIN (${tasks}) AS t CROSS JOIN LATERAL (
      SELECT ${e.task_words} AS task_words FROM ${e} WHERE ${owned} AND ${e.task_key} = t.task_key LIMIT 1) AS one
    WHERE one.task_words @@ asked`;
}

/** How many episodes that pass say one of the words, as `n`. */
const countByTask = (scope: TenantScope, search: SearchScope, text: string): SQL =>
  sql`SELECT coalesce(sum(n), 0)::int AS n FROM (${tasksSaying(scope, search, text)}) AS told`;

/**
 * Rows of `candidates`, enough for a page of `limit`. `behind` is about `far` and `episode_id`, and lets nothing pass
 * that is nearer than `from`.
 */
export function saidByTask(
  scope: TenantScope,
  search: SearchScope,
  text: string,
  { limit, behind, from }: { readonly limit: number; readonly behind: SQL; readonly from: number | null },
): SQL {
  // Each has an episode to show, so that no page needs more of them than it has places, but for those as good as the last.
  const first = sql`SELECT * FROM told ${from === null ? sql`` : sql`WHERE far > ${from}::float8`}
    ORDER BY far FETCH FIRST ${sql.raw(String(limit))} ROWS WITH TIES`;
  const begun = from === null ? sql`` : sql`UNION ALL SELECT * FROM told WHERE far = ${from}::float8`;
  const own = sql`SELECT ${e.id} AS episode_id, best.far AS far, ${noMoment}
    FROM ${e} WHERE ${passing(scope, search)} AND ${e.task_key} = best.task_key`;
  return sql`WITH told AS MATERIALIZED (${tasksSaying(scope, search, text)}), best AS ((${first}) ${begun})
    SELECT each.* FROM best CROSS JOIN LATERAL (
      SELECT * FROM (${own}) AS c ${behind} ORDER BY episode_id DESC LIMIT ${limit}) AS each`;
}
