import type { LayerId } from '#core/api';
import { type SQL, sql } from '../../drizzle.ts';
import { annotations as a } from '../../schema/annotations.ts';
import { embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e } from '../../schema/episodes.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { conditionsOf, type EpisodeFilter } from '../episode-pages.ts';

/** What episodes are ranked by; of likeness the vector as pgvector writes it, and the episode that it is of. */
export type Ranking =
  | { readonly by: 'age' }
  | { readonly by: 'text'; readonly text: string }
  | {
      readonly by: 'like';
      readonly descriptor: string;
      readonly version: number;
      readonly layout: string;
      readonly vector: string;
      readonly episode_id: string;
      /** Against the moments of others. */
      readonly moments: boolean;
    };

export interface SearchScope {
  readonly project_id: string;
  readonly filter: EpisodeFilter;
  readonly ranking: Ranking;
}

const all = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` AND `);

/** What of a project's episodes passes the filter; of a search for likeness, without the one that is compared with. */
export function passing({ tenant_id }: TenantScope, { project_id, filter, ranking }: SearchScope): SQL {
  const own = [
    sql`${e.tenant_id} = ${tenant_id}`,
    sql`${e.project_id} = ${project_id}`,
    ...conditionsOf(filter),
  ];
  return all(ranking.by === 'like' ? [...own, sql`${e.id} <> ${ranking.episode_id}`] : own);
}

/** Nothing but the project is asked for: who compares vectors need not look at episodes. */
export const isOpen = ({ filter }: SearchScope): boolean => conditionsOf(filter).length === 0;

/**
 * Rows `(episode_id, far, from_s, to_s)` of all that can be ranked; the nearer the fewer `far`, of equals the newer id
 * first. Likeness: the negative inner product of vectors of length 1.
 */
export function candidates(scope: TenantScope, search: SearchScope): SQL {
  const { ranking } = search;
  if (ranking.by === 'like') return alike(scope, search, ranking);
  if (ranking.by === 'age')
    return sql`SELECT ${e.id} AS episode_id, 0::float8 AS far, ${noMoment} FROM ${e} WHERE ${passing(scope, search)}`;
  return saying(scope, search, ranking.text);
}

/** Words of the task, and of layers that are text. What only such a layer says is looked up in the index of its words. */
function saying(scope: TenantScope, search: SearchScope, text: string): SQL {
  const told = sql.join(
    [
      sql`${e.task_words}`,
      ...textLayers.map((layer) => sql`coalesce(${sql.raw(layer)}.words, ''::tsvector)`),
    ],
    sql` || `,
  );
  const layers = textLayers.map((layer) => {
    const own = sql.raw(layer);
    return sql`LEFT JOIN ${a} AS ${own} ON ${own}.tenant_id = ${e.tenant_id} AND ${own}.episode_id = ${e.id}
      AND ${own}.layer = ${layer}`;
  });
  const found = (where: SQL) => sql`
    SELECT ${e.id} AS episode_id, -ts_rank(${told}, asked, 32)::float8 AS far, ${noMoment}
    FROM ${anyWordOf(text)} AS asked CROSS JOIN ${e} ${sql.join(layers, sql` `)}
    WHERE ${passing(scope, search)} AND ${where}`;
  const annotated = sql`SELECT ${a.episode_id} FROM ${a} WHERE ${a.tenant_id} = ${scope.tenant_id}
    AND ${a.project_id} = ${search.project_id} AND ${a.words} @@ asked`;
  return sql`${found(sql`${e.task_words} @@ asked`)} UNION ALL
    ${found(sql`NOT ${e.task_words} @@ asked AND ${e.id} IN (${annotated})`)}`;
}

/** Layers whose artifact is text. */
export const textLayers = ['captions', 'dense_text'] as const satisfies readonly LayerId[];

/** The best first; by age an index has the order. */
export const orderOf = ({ ranking }: SearchScope): SQL =>
  sql.raw(ranking.by === 'age' ? 'episode_id DESC' : 'far, episode_id DESC');

export const noMoment = sql.raw('NULL::float8 AS from_s, NULL::float8 AS to_s');

/** A query for any of the words. */
export const anyWordOf = (text: string): SQL =>
  sql`CAST(replace(plainto_tsquery('simple', ${text})::text, ' & ', ' | ') AS tsquery)`;

export type Likeness = Extract<Ranking, { by: 'like' }>;

/** What can be compared with: of the same descriptor, version and layout, and another episode. */
export function comparable({ tenant_id }: TenantScope, { project_id }: SearchScope, ranking: Likeness): SQL {
  const { descriptor, version, layout, episode_id, moments } = ranking;
  const table = moments ? m : v;
  return all([
    sql`${table.tenant_id} = ${tenant_id}`,
    sql`${table.project_id} = ${project_id}`,
    sql`${table.descriptor} = ${descriptor}`,
    sql`${table.version} = ${version}`,
    sql`${table.layout} = ${layout}`,
    sql`${table.episode_id} <> ${episode_id}`,
    ...(moments ? [] : [sql`${v.vector} IS NOT NULL`]),
  ]);
}

export const distance = ({ moments, vector }: Likeness): SQL =>
  sql`${moments ? m.vector : v.vector} <#> ${vector}::vector`;

function alike(scope: TenantScope, search: SearchScope, ranking: Likeness): SQL {
  const { moments } = ranking;
  const table = moments ? m : v;
  const among = isOpen(search)
    ? sql``
    : sql`AND ${table.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${passing(scope, search)})`;
  const where = sql`${comparable(scope, search, ranking)} ${among}`;
  const far = distance(ranking);
  if (!moments)
    return sql`SELECT ${v.episode_id} AS episode_id, ${far} AS far, ${noMoment} FROM ${v} WHERE ${where}`;
  return sql`SELECT DISTINCT ON (${m.episode_id}) ${m.episode_id} AS episode_id, ${far} AS far,
      ${m.from_s} AS from_s, ${m.to_s} AS to_s
    FROM ${m} WHERE ${where} ORDER BY ${m.episode_id}, ${far}, ${m.part}`;
}
