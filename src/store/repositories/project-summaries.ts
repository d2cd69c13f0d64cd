import { sql } from 'drizzle-orm';
import type { Decision } from '#contract';
import type { Kind, Outcome } from '#episode';
import { episodes as e } from '../schema/episodes.ts';
import type { TenantScope } from '../tenant-scope.ts';
import { conditionsOf, type EpisodeFilter } from './episode-pages.ts';

/** How many episodes share something. */
export interface Share<Value> {
  readonly value: Value;
  readonly episodes: number;
}

export interface ProjectSummaryRow {
  readonly episodes: number;
  readonly duration_s: number;
  readonly sources: number;
  readonly tasks: number;
  readonly unscored: number;
  readonly lowest_score: number | null;
  readonly median_score: number | null;
  readonly highest_score: number | null;
  readonly reviewed: number;
  /** Reviewed otherwise than the machine decided. */
  readonly overruled: number;
}

type Facet = 'decision' | 'kind' | 'outcome' | 'robot' | 'flag';

export interface ProjectSummary extends ProjectSummaryRow {
  /** Most first, equals by name. */
  readonly decisions: readonly Share<Decision>[];
  readonly kinds: readonly Share<Kind>[];
  readonly outcomes: readonly Share<Outcome['value']>[];
  readonly robots: readonly Share<string | null>[];
  readonly flags: readonly Share<string>[];
}

/** Counts over the project's episodes that pass a filter. */
export async function summariseEpisodes(
  scope: TenantScope,
  project_id: string,
  filter: EpisodeFilter,
): Promise<ProjectSummary> {
  const chosen = sql`FROM ${e} WHERE ${sql.join(
    [sql`${e.tenant_id} = ${scope.tenant_id}`, sql`${e.project_id} = ${project_id}`, ...conditionsOf(filter)],
    sql` AND `,
  )}`;
  const { rows: totals } = await scope.sql.execute<Record<keyof ProjectSummaryRow, number | null>>(sql`
    SELECT count(*)::int AS episodes, coalesce(sum(duration_s::numeric), 0)::float8 AS duration_s,
      count(DISTINCT source_id)::int AS sources, count(DISTINCT task_key)::int AS tasks,
      (count(*) FILTER (WHERE rank < 0))::int AS unscored,
      min(rank) FILTER (WHERE rank >= 0) AS lowest_score, max(rank) FILTER (WHERE rank >= 0) AS highest_score,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY rank) FILTER (WHERE rank >= 0) AS median_score,
      count(review_decision)::int AS reviewed,
      (count(*) FILTER (WHERE review_decision <> decision))::int AS overruled
    ${chosen}`);
  const { rows: shares } = await scope.sql.execute<{
    facet: Facet;
    value: string | null;
    episodes: number;
  }>(sql`
    WITH chosen AS (SELECT decision, stream_kind, outcome, robot, flags ${chosen})
    SELECT 'decision' AS facet, decision AS value, count(*)::int AS episodes FROM chosen GROUP BY decision
    UNION ALL SELECT 'kind', stream_kind, count(*)::int FROM chosen GROUP BY stream_kind
    UNION ALL SELECT 'outcome', outcome, count(*)::int FROM chosen GROUP BY outcome
    UNION ALL SELECT 'robot', robot, count(*)::int FROM chosen GROUP BY robot
    UNION ALL SELECT 'flag', flag, count(*)::int FROM chosen, unnest(flags) AS flag GROUP BY flag`);
  const of = <Value extends string | null>(facet: Facet) =>
    (shares as { facet: Facet; value: Value; episodes: number }[])
      .filter((share) => share.facet === facet)
      .map(({ value, episodes }) => ({ value, episodes }))
      .sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
  return {
    ...(totals[0] as unknown as ProjectSummaryRow),
    decisions: of<Decision>('decision'),
    kinds: of<Kind>('kind'),
    outcomes: of<Outcome['value']>('outcome'),
    robots: of('robot'),
    flags: of<string>('flag'),
  };
}
