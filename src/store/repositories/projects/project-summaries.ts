import type { Outcome } from '#core/episode';
import { sql as raw } from '../../drizzle.ts';
import type { ShareFacet } from '../../schema/project-shares.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { EpisodeFilter } from '../episode-pages.ts';
import { countedSummary } from './counted-summary.ts';
import { inOrder, type ProjectSummary, type Share } from './project-summary.ts';

export type { ProjectSummary, Share } from './project-summary.ts';

/**
 * Counts over the project's episodes that pass a filter. Of all of them they are kept; what passes a filter is counted
 * in steps, between which others have their turn.
 */
export function summariseEpisodes(
  scope: TenantScope,
  project_id: string,
  filter: EpisodeFilter,
): Promise<ProjectSummary> {
  const all = Object.values(filter).every((value) => value === undefined);
  return all ? keptSummary(scope, project_id) : countedSummary(scope, project_id, filter);
}

type Totals = Pick<ProjectSummary, 'episodes' | 'duration_s' | 'unscored' | 'reviewed' | 'overruled'>;
type Scores = Pick<ProjectSummary, 'lowest_score' | 'median_score' | 'highest_score'>;

/** Of all episodes of a project, from what is counted as they are written. */
async function keptSummary(scope: TenantScope, project_id: string): Promise<ProjectSummary> {
  const { sql, tenant_id } = scope;
  const ours = raw`tenant_id = ${tenant_id} AND project_id = ${project_id}`;
  const { rows: totals } = await sql.execute<Record<string, unknown> & Totals>(raw`
    SELECT coalesce(sum(episodes), 0)::int AS episodes, round(coalesce(sum(duration_s), 0), 6)::float8 AS duration_s,
      coalesce(sum(unscored), 0)::int AS unscored, coalesce(sum(reviewed), 0)::int AS reviewed,
      coalesce(sum(overruled), 0)::int AS overruled
    FROM project_counts WHERE ${ours}`);
  // Sources and tasks may be many, and only their number is wanted.
  const { rows: shares } = await sql.execute<{ facet: Facet; value: string | null; episodes: number }>(raw`
    SELECT 'decision' AS facet, decision AS value, sum(episodes)::int AS episodes FROM project_counts
      WHERE ${ours} GROUP BY decision HAVING sum(episodes) > 0
    UNION ALL SELECT 'kind', stream_kind, sum(episodes)::int FROM project_counts
      WHERE ${ours} GROUP BY stream_kind HAVING sum(episodes) > 0
    UNION ALL SELECT facet, CASE facet WHEN 'robot' THEN robot ELSE key END, episodes::int FROM project_shares
      WHERE ${ours} AND facet IN ('outcome', 'robot', 'flag') AND episodes > 0
    UNION ALL SELECT facet, NULL, count(*)::int FROM project_shares
      WHERE ${ours} AND facet IN ('source', 'task') AND episodes > 0 GROUP BY facet`);
  const of = <Value extends string | null>(facet: Facet): Share<Value>[] =>
    inOrder(
      shares
        .filter((share) => share.facet === facet)
        .map(({ value, episodes }) => ({ value: value as Value, episodes })),
    );
  const numberOf = (facet: Facet): number => of(facet)[0]?.episodes ?? 0;
  return {
    ...totals[0],
    ...(await scoresOf(scope, project_id)),
    ...{ sources: numberOf('source'), tasks: numberOf('task') },
    ...{ decisions: of('decision'), kinds: of('kind'), outcomes: of<Outcome['value']>('outcome') },
    ...{ robots: of('robot'), flags: of('flag') },
  };
}

type Facet = ShareFacet | 'decision' | 'kind';

/** The ends are the index's; the middle is looked for in the hundredth that the counts say it is in. */
async function scoresOf({ sql, tenant_id }: TenantScope, project_id: string): Promise<Scores> {
  const ours = raw`tenant_id = ${tenant_id} AND project_id = ${project_id}`;
  const { rows } = await sql.execute<Record<string, unknown> & Scores>(raw`
    WITH hundredths AS (
      SELECT key::int AS hundredth, episodes, sum(episodes) OVER (ORDER BY key) AS upto,
        ceil(sum(episodes) OVER () / 2) AS middle
      FROM project_shares WHERE ${ours} AND facet = 'score' AND episodes > 0),
    place AS (
      SELECT (hundredth / 100.0)::float8 AS from_rank, (middle - (upto - episodes) - 1)::bigint AS skipped
      FROM hundredths WHERE upto >= middle ORDER BY hundredth LIMIT 1)
    SELECT (SELECT min(rank) FROM episodes WHERE ${ours} AND rank >= 0) AS lowest_score,
      (SELECT rank FROM episodes WHERE ${ours} AND rank >= (SELECT from_rank FROM place)
        ORDER BY rank OFFSET (SELECT skipped FROM place) LIMIT 1) AS median_score,
      (SELECT max(rank) FROM episodes WHERE ${ours} AND rank >= 0) AS highest_score`);
  return rows[0];
}
