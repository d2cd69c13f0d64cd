import { type SQL, sql } from '../../drizzle.ts';
import { episodes as e } from '../../schema/episodes.ts';
import { projectShares as s } from '../../schema/project-shares.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { anyWordOf, isOpen, noMoment, passing, type SearchScope } from './candidates.ts';

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
export const countByTask = (scope: TenantScope, search: SearchScope, text: string): SQL =>
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
