import type { Decision } from '#core/api';
import type { Kind, Outcome } from '#core/episode';
import type { TenantScope } from '../../database/database.ts';
import { sql as raw, type SQL, sql } from '../../drizzle.ts';
import { episodes as e } from '../../schema/episodes.ts';
import type { ShareFacet } from '../../schema/project-counts.ts';
import { type EpisodeFilter, filterConditions } from '../episode-pages.ts';

/**
 * Returns counts over the episodes of a project that match a filter. Without a filter, stored counts are used; else
 * episodes are counted in steps, between which other queries run.
 */
export function summariseEpisodes(
  scope: TenantScope,
  project_id: string,
  filter: EpisodeFilter,
): Promise<ProjectSummary> {
  const all = Object.values(filter).every((value) => value === undefined);
  return all ? storedSummary(scope, project_id) : countSummary(scope, project_id, filter);
}

type Totals = Pick<
  ProjectSummary,
  'episodes' | 'duration_s' | 'unscored' | 'reviewed' | 'overruled' | 'accepted' | 'rejected'
>;
type Scores = Pick<ProjectSummary, 'lowest_score' | 'median_score' | 'highest_score'>;
type Hundredth = Readonly<{ hundredth: number; episodes: number }>;

/** Returns the stored counts over all episodes of a project. */
async function storedSummary(scope: TenantScope, project_id: string): Promise<ProjectSummary> {
  const { sql, tenant_id } = scope;
  const projectCondition = raw`tenant_id = ${tenant_id} AND project_id = ${project_id}`;
  const { rows: totals } = await sql.execute<Record<string, unknown> & Totals>(raw`
    SELECT coalesce(sum(episodes), 0)::int AS episodes, round(coalesce(sum(duration_s), 0), 6)::float8 AS duration_s,
      coalesce(sum(unscored), 0)::int AS unscored, coalesce(sum(reviewed), 0)::int AS reviewed,
      coalesce(sum(overruled), 0)::int AS overruled, coalesce(sum(accepted), 0)::int AS accepted,
      coalesce(sum(rejected), 0)::int AS rejected
    FROM project_counts WHERE ${projectCondition}`);
  // There may be many sources and tasks, and only their number is needed.
  const { rows: shares } = await sql.execute<{ facet: Facet; value: string | null; episodes: number }>(raw`
    SELECT 'decision' AS facet, decision AS value, sum(episodes)::int AS episodes FROM project_counts
      WHERE ${projectCondition} GROUP BY decision HAVING sum(episodes) > 0
    UNION ALL SELECT 'kind', stream_kind, sum(episodes)::int FROM project_counts
      WHERE ${projectCondition} GROUP BY stream_kind HAVING sum(episodes) > 0
    UNION ALL SELECT facet, CASE facet WHEN 'robot' THEN robot ELSE key END, episodes::int FROM project_shares
      WHERE ${projectCondition} AND facet IN ('outcome', 'robot', 'flag') AND episodes > 0
    UNION ALL SELECT facet, NULL, count(*)::int FROM project_shares
      WHERE ${projectCondition} AND facet IN ('source', 'task') AND episodes > 0 GROUP BY facet`);
  const of = <Value extends string | null>(facet: Facet): Share<Value>[] =>
    sortShares(
      shares
        .filter((share) => share.facet === facet)
        .map(({ value, episodes }) => ({ value: value as Value, episodes })),
    );
  const numberOf = (facet: Facet): number => of(facet)[0]?.episodes ?? 0;
  const { rows: hundredths } = await sql.execute<Hundredth>(raw`
    SELECT key::int AS hundredth, episodes::int FROM project_shares
    WHERE ${projectCondition} AND facet = 'score' AND episodes > 0`);
  return {
    ...totals[0],
    ...(await readScores(scope, project_id)),
    score_histogram: toHistogram(hundredths),
    ...{ sources: numberOf('source'), tasks: numberOf('task') },
    ...{ decisions: of('decision'), kinds: of('kind'), outcomes: of<Outcome['value']>('outcome') },
    ...{ robots: of('robot'), flags: of('flag') },
  };
}

type Facet = ShareFacet | 'decision' | 'kind';

/** Number of ranges of the histogram of scores; a divisor of 100. */
const histogramBins = 20;

/**
 * Returns the number of episodes in each range of the score, from those of each hundredth; the score 1 belongs to the last
 * one.
 */
function toHistogram(hundredths: readonly Hundredth[]): number[] {
  const counts = new Array<number>(histogramBins).fill(0);
  for (const { hundredth, episodes } of hundredths)
    counts[Math.min(histogramBins - 1, Math.floor((hundredth * histogramBins) / 100))] += episodes;
  return counts;
}

/**
 * Returns minimum, median and maximum score. The ends come from the index; the median is searched in the hundredth that
 * contains it by the stored counts.
 */
async function readScores({ sql, tenant_id }: TenantScope, project_id: string): Promise<Scores> {
  const projectCondition = raw`tenant_id = ${tenant_id} AND project_id = ${project_id}`;
  const { rows } = await sql.execute<Record<string, unknown> & Scores>(raw`
    WITH hundredths AS (
      SELECT key::int AS hundredth, episodes, sum(episodes) OVER (ORDER BY key) AS upto,
        ceil(sum(episodes) OVER () / 2) AS middle
      FROM project_shares WHERE ${projectCondition} AND facet = 'score' AND episodes > 0),
    place AS (
      SELECT (hundredth / 100.0)::float8 AS from_rank, (middle - (upto - episodes) - 1)::bigint AS skipped
      FROM hundredths WHERE upto >= middle ORDER BY hundredth LIMIT 1)
    SELECT (SELECT min(rank) FROM episodes WHERE ${projectCondition} AND rank >= 0) AS lowest_score,
      (SELECT rank FROM episodes WHERE ${projectCondition} AND rank >= (SELECT from_rank FROM place)
        ORDER BY rank OFFSET (SELECT skipped FROM place) LIMIT 1) AS median_score,
      (SELECT max(rank) FROM episodes WHERE ${projectCondition} AND rank >= 0) AS highest_score`);
  return rows[0];
}

/**
 * Episodes counted per step: takes some tens of milliseconds, in which the embedded database answers no other query.
 */
const stepSize = 4000;

type CountedFacet =
  | 'kind'
  | 'decision'
  | 'outcome'
  | 'robot'
  | 'flag'
  | 'source'
  | 'task'
  | 'score'
  | 'review'
  | 'effective'
  | 'last';
type FacetCount = Readonly<{
  facet: CountedFacet;
  value: string | null;
  episodes: number;
  duration_s: number;
}>;

/** Counts the episodes that match a filter, in steps ordered by id. */
async function countSummary(
  scope: TenantScope,
  project_id: string,
  filter: EpisodeFilter,
): Promise<ProjectSummary> {
  const counts = new FacetCounts();
  for (let after: string | null = ''; after !== null; ) {
    const shared = await countStep(scope, project_id, { filter, after });
    const last = shared.find(({ facet }) => facet === 'last');
    for (const one of shared) counts.add(one);
    after = last?.episodes === stepSize ? last.value : null;
  }
  return counts.summary();
}

/** Counts episodes after `after` by all facets; facet `last` has their total and the id of the last one. */
async function countStep(
  { sql: database, tenant_id }: TenantScope,
  project_id: string,
  { filter, after }: { readonly filter: EpisodeFilter; readonly after: string },
): Promise<readonly FacetCount[]> {
  const projectConditions = [sql`${e.tenant_id} = ${tenant_id}`, sql`${e.project_id} = ${project_id}`];
  const chosen = [...projectConditions, ...filterConditions(filter), sql`${e.id} > ${after}`];
  const { rows } = await database.execute<FacetCount & Record<string, unknown>>(sql`
    WITH chosen AS MATERIALIZED (
      SELECT id, decision, stream_kind, outcome, robot, flags, source_id, task_key, rank, duration_s, review_decision
      FROM ${e} WHERE ${sql.join(chosen, sql` AND `)} ORDER BY id LIMIT ${sql.raw(String(stepSize))})
    SELECT 'decision' AS facet, decision AS value, count(*)::int AS episodes,
      coalesce(sum(duration_s::numeric) FILTER (WHERE duration_s < 'Infinity'), 0)::float8 AS duration_s
    FROM chosen GROUP BY decision
    ${sql.join(Object.entries(facetExpressions).map(([facet, value]) => facetQuery(facet, value)))}
    UNION ALL SELECT 'flag', flag, count(*)::int, 0 FROM chosen, unnest(flags) AS flag GROUP BY flag
    UNION ALL SELECT 'last', max(id), count(*)::int, 0 FROM chosen`);
  return rows;
}

/** SQL expression of each facet; for reviews, whether they changed the decision; `effective`: after reviews. */
const facetExpressions = {
  kind: 'stream_kind',
  outcome: 'outcome',
  robot: 'robot',
  source: 'source_id',
  task: 'task_key',
  score: 'rank::text',
  review: '(review_decision <> decision)::text',
  effective: 'coalesce(review_decision, decision)',
} as const satisfies Partial<Record<CountedFacet, string>>;

const facetQuery = (facet: string, value: string): SQL =>
  sql.raw(`UNION ALL SELECT '${facet}', ${value}, count(*)::int, 0 FROM chosen GROUP BY ${value} `);

/** Sums the counts of all steps. */
class FacetCounts {
  readonly #counts = new Map<CountedFacet, Map<string | null, number>>();
  #duration_s = 0;

  add({ facet, value, episodes, duration_s }: FacetCount): void {
    const counts = this.#countsOf(facet);
    counts.set(value, (counts.get(value) ?? 0) + episodes);
    this.#duration_s += duration_s;
  }

  summary(): ProjectSummary {
    const overruled = this.#countsOf('review').get('true') ?? 0;
    const upheld = this.#countsOf('review').get('false') ?? 0;
    return {
      episodes: [...this.#countsOf('last').values()].reduce((sum, episodes) => sum + episodes, 0),
      // Rounds away floating-point errors.
      duration_s: Math.round(this.#duration_s * 1e6) / 1e6,
      sources: this.#countsOf('source').size,
      tasks: [...this.#countsOf('task').keys()].filter((task) => task !== null).length,
      ...this.#scores(),
      ...{ reviewed: overruled + upheld, overruled },
      accepted: this.#countsOf('effective').get('accept') ?? 0,
      rejected: this.#countsOf('effective').get('reject') ?? 0,
      ...{ decisions: this.#shares('decision'), kinds: this.#shares('kind') },
      ...{ outcomes: this.#shares('outcome'), robots: this.#shares('robot'), flags: this.#shares('flag') },
    };
  }

  #scores() {
    const ranks = [...this.#countsOf('score')].map(([rank, episodes]) => ({ score: Number(rank), episodes }));
    const scored = ranks.filter(({ score }) => score >= 0).sort((a, b) => a.score - b.score);
    const number = scored.reduce((sum, { episodes }) => sum + episodes, 0);
    let upto = 0;
    const middle = scored.find(({ episodes }) => {
      upto += episodes;
      return upto >= number / 2;
    });
    return {
      unscored: ranks.reduce((sum, { score, episodes }) => sum + (score < 0 ? episodes : 0), 0),
      lowest_score: scored[0]?.score ?? null,
      median_score: middle?.score ?? null,
      highest_score: scored.at(-1)?.score ?? null,
      score_histogram: toHistogram(
        scored.map(({ score, episodes }) => ({ hundredth: Math.floor(100 * score), episodes })),
      ),
    };
  }

  #shares<Value extends string | null>(facet: CountedFacet): Share<Value>[] {
    return sortShares(
      [...this.#countsOf(facet)].map(([value, episodes]) => ({ value: value as Value, episodes })),
    );
  }

  #countsOf(facet: CountedFacet): Map<string | null, number> {
    const counts = this.#counts.get(facet) ?? new Map<string | null, number>();
    this.#counts.set(facet, counts);
    return counts;
  }
}

/** Number of episodes with a value. */
export interface Share<Value> {
  readonly value: Value;
  readonly episodes: number;
}

/** Counts over episodes of a project. */
export interface ProjectSummary {
  readonly episodes: number;
  /** Sum of finite durations, rounded to six decimal places. */
  readonly duration_s: number;
  readonly sources: number;
  readonly tasks: number;
  readonly unscored: number;
  readonly lowest_score: number | null;
  readonly median_score: number | null;
  readonly highest_score: number | null;
  /** Number of scored episodes in each of 20 equal ranges from 0 to 1; the last one includes 1. */
  readonly score_histogram: readonly number[];
  readonly reviewed: number;
  /** Reviewed with another decision than that of the machine. */
  readonly overruled: number;
  /** By the latest decision of a reviewer, else of the machine. */
  readonly accepted: number;
  readonly rejected: number;
  /** Sorted by number of episodes, largest first; equal ones by value. */
  readonly decisions: readonly Share<Decision>[];
  readonly kinds: readonly Share<Kind>[];
  readonly outcomes: readonly Share<Outcome['value']>[];
  readonly robots: readonly Share<string | null>[];
  readonly flags: readonly Share<string>[];
}

/** Returns the shares sorted by number of episodes, largest first; equal ones by value. */
const sortShares = <Value extends string | null>(shares: Iterable<Share<Value>>): Share<Value>[] =>
  [...shares].sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
