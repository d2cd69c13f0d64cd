import { type SQL, sql } from '../../drizzle.ts';
import { episodes as e } from '../../schema/episodes.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { conditionsOf, type EpisodeFilter } from '../episode-pages.ts';
import { inOrder, type ProjectSummary, type Share } from './project-summary.ts';

/** Episodes that are counted at once: some tens of milliseconds, in which the embedded database answers nobody else. */
const atOnce = 4000;

type Facet =
  | 'kind'
  | 'decision'
  | 'outcome'
  | 'robot'
  | 'flag'
  | 'source'
  | 'task'
  | 'score'
  | 'review'
  | 'last';
type Shared = Readonly<{ facet: Facet; value: string | null; episodes: number; duration_s: number }>;

/** Of the episodes that pass a filter, counted step by step in the order they came. */
export async function countedSummary(
  scope: TenantScope,
  project_id: string,
  filter: EpisodeFilter,
): Promise<ProjectSummary> {
  const counts = new FacetCounts();
  for (let after: string | null = ''; after !== null; ) {
    const shared = await countStep(scope, project_id, { filter, after });
    const last = shared.find(({ facet }) => facet === 'last');
    for (const one of shared) counts.add(one);
    after = last?.episodes === atOnce ? last.value : null;
  }
  return counts.summary();
}

/** Counts by everything that is told of them, of the episodes behind `after`; of `last` all, and the last one's id. */
async function countStep(
  { sql: database, tenant_id }: TenantScope,
  project_id: string,
  { filter, after }: { readonly filter: EpisodeFilter; readonly after: string },
): Promise<readonly Shared[]> {
  const ours = [sql`${e.tenant_id} = ${tenant_id}`, sql`${e.project_id} = ${project_id}`];
  const chosen = [...ours, ...conditionsOf(filter), sql`${e.id} > ${after}`];
  const { rows } = await database.execute<Shared & Record<string, unknown>>(sql`
    WITH chosen AS MATERIALIZED (
      SELECT id, decision, stream_kind, outcome, robot, flags, source_id, task_key, rank, duration_s, review_decision
      FROM ${e} WHERE ${sql.join(chosen, sql` AND `)} ORDER BY id LIMIT ${sql.raw(String(atOnce))})
    SELECT 'decision' AS facet, decision AS value, count(*)::int AS episodes,
      coalesce(sum(duration_s::numeric) FILTER (WHERE duration_s < 'Infinity'), 0)::float8 AS duration_s
    FROM chosen GROUP BY decision
    ${sql.join(Object.entries(sharedBy).map(([facet, value]) => sharing(facet, value)))}
    UNION ALL SELECT 'flag', flag, count(*)::int, 0 FROM chosen, unnest(flags) AS flag GROUP BY flag
    UNION ALL SELECT 'last', max(id), count(*)::int, 0 FROM chosen`);
  return rows;
}

/** What a facet is in an episode; of a review, whether it decided otherwise. */
const sharedBy = {
  kind: 'stream_kind',
  outcome: 'outcome',
  robot: 'robot',
  source: 'source_id',
  task: 'task_key',
  score: 'rank::text',
  review: '(review_decision <> decision)::text',
} as const satisfies Partial<Record<Facet, string>>;

const sharing = (facet: string, value: string): SQL =>
  sql.raw(`UNION ALL SELECT '${facet}', ${value}, count(*)::int, 0 FROM chosen GROUP BY ${value} `);

/** Adds up what steps have counted. */
class FacetCounts {
  readonly #counts = new Map<Facet, Map<string | null, number>>();
  #duration_s = 0;

  add({ facet, value, episodes, duration_s }: Shared): void {
    const counts = this.#of(facet);
    counts.set(value, (counts.get(value) ?? 0) + episodes);
    this.#duration_s += duration_s;
  }

  summary(): ProjectSummary {
    const overruled = this.#of('review').get('true') ?? 0;
    const kept = this.#of('review').get('false') ?? 0;
    return {
      episodes: [...this.#of('last').values()].reduce((sum, episodes) => sum + episodes, 0),
      // The rest is what adding leaves.
      duration_s: Math.round(this.#duration_s * 1e6) / 1e6,
      sources: this.#of('source').size,
      tasks: [...this.#of('task').keys()].filter((task) => task !== null).length,
      ...this.#scores(),
      ...{ reviewed: overruled + kept, overruled },
      ...{ decisions: this.#shares('decision'), kinds: this.#shares('kind') },
      ...{ outcomes: this.#shares('outcome'), robots: this.#shares('robot'), flags: this.#shares('flag') },
    };
  }

  #scores() {
    const ranks = [...this.#of('score')].map(([rank, episodes]) => ({ score: Number(rank), episodes }));
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
    };
  }

  #shares<Value extends string | null>(facet: Facet): Share<Value>[] {
    return inOrder([...this.#of(facet)].map(([value, episodes]) => ({ value: value as Value, episodes })));
  }

  #of(facet: Facet): Map<string | null, number> {
    const counts = this.#counts.get(facet) ?? new Map<string | null, number>();
    this.#counts.set(facet, counts);
    return counts;
  }
}
