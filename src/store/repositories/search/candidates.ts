import type { LayerId } from '#core/api';
import type { TenantScope } from '../../database/database.ts';
import { type SQL, sql } from '../../drizzle.ts';
import { annotations as a } from '../../schema/annotations.ts';
import { embeddingMoments as m, embeddings as v } from '../../schema/embeddings.ts';
import { episodes as e } from '../../schema/episodes.ts';
import { textVectors as t } from '../../schema/text-vectors.ts';
import { type EpisodeFilter, filterConditions } from '../episode-pages.ts';

/**
 * Ranking of a search: by age, by the words or the meaning of a text, or by similarity to an episode. Vectors are in the
 * text format of pgvector.
 */
export type Ranking =
  | { readonly by: 'age' }
  | { readonly by: 'text'; readonly text: string }
  | {
      readonly by: 'meaning';
      /** Model of `vector`, and of the vectors of texts that it is compared with. */
      readonly model: string;
      readonly vector: string;
    }
  | {
      readonly by: 'like';
      readonly descriptor: string;
      readonly version: number;
      readonly layout: string;
      readonly vector: string;
      readonly episode_id: string;
      /** Compares with moments of other episodes instead of whole episodes. */
      readonly moments: boolean;
    };

/** A search in a project. */
export interface SearchScope {
  readonly project_id: string;
  readonly filter: EpisodeFilter;
  readonly ranking: Ranking;
}

const joinConditions = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` AND `);

/**
 * Returns the SQL condition that an episode is in the project and passes the filter; a similarity search excludes the episode
 * that is compared with.
 */
export function filterCondition(
  { tenant_id }: TenantScope,
  { project_id, filter, ranking }: SearchScope,
): SQL {
  const conditions = [
    sql`${e.tenant_id} = ${tenant_id}`,
    sql`${e.project_id} = ${project_id}`,
    ...filterConditions(filter),
  ];
  return joinConditions(
    ranking.by === 'like' ? [...conditions, sql`${e.id} <> ${ranking.episode_id}`] : conditions,
  );
}

/** Returns true if the search has no filter, so that comparing vectors need not read episodes. */
export const isUnfiltered = ({ filter }: SearchScope): boolean => filterConditions(filter).length === 0;

/**
 * Returns a query for all episodes that can be ranked, with columns (episode_id, far, from_s, to_s). Smaller `far` is
 * better; of equal ones the newer id comes first. For similarity and meaning, `far` is the negative inner product of
 * vectors of length 1.
 */
export function candidatesQuery(scope: TenantScope, search: SearchScope): SQL {
  const { ranking } = search;
  if (ranking.by === 'like') return similarCandidates(scope, search, ranking);
  if (ranking.by === 'meaning') return meaningCandidates(scope, search, ranking, null);
  if (ranking.by === 'age')
    return sql`SELECT ${e.id} AS episode_id, 0::float8 AS far, ${noMomentColumns} FROM ${e} WHERE ${filterCondition(scope, search)}`;
  return textCandidates(scope, search, ranking.text);
}

/**
 * Returns the candidates of a text search: words of the task and of text layers. Words that occur only in a layer are
 * found by the index of its words.
 */
function textCandidates(scope: TenantScope, search: SearchScope, text: string): SQL {
  const searchText = sql.join(
    [
      sql`${e.task_words}`,
      ...textLayers.map((layer) => sql`coalesce(${sql.raw(layer)}.words, ''::tsvector)`),
    ],
    sql` || `,
  );
  const layers = textLayers.map((layer) => {
    const alias = sql.raw(layer);
    return sql`LEFT JOIN ${a} AS ${alias} ON ${alias}.tenant_id = ${e.tenant_id} AND ${alias}.episode_id = ${e.id}
      AND ${alias}.layer = ${layer}`;
  });
  const found = (where: SQL) => sql`
    SELECT ${e.id} AS episode_id, -ts_rank(${searchText}, asked, 32)::float8 AS far, ${noMomentColumns}
    FROM ${anyWordQuery(text)} AS asked CROSS JOIN ${e} ${sql.join(layers, sql` `)}
    WHERE ${filterCondition(scope, search)} AND ${where}`;
  const annotated = sql`SELECT ${a.episode_id} FROM ${a} WHERE ${a.tenant_id} = ${scope.tenant_id}
    AND ${a.project_id} = ${search.project_id} AND ${a.words} @@ asked`;
  return sql`${found(sql`${e.task_words} @@ asked`)} UNION ALL
    ${found(sql`NOT ${e.task_words} @@ asked AND ${e.id} IN (${annotated})`)}`;
}

export type MeaningRanking = Extract<Ranking, { by: 'meaning' }>;

/** Returns the SQL condition for the vectors of a project's texts. */
export const textVectorCondition = (
  { tenant_id }: TenantScope,
  { project_id }: SearchScope,
  { model }: MeaningRanking,
): SQL => sql`${t.tenant_id} = ${tenant_id} AND ${t.project_id} = ${project_id} AND ${t.model} = ${model}`;

/**
 * Returns a query for the episodes of a search by meaning, each with the distance of its closest text: the task, or a
 * sentence of a text layer. `nearest` considers only that many closest texts of the project, `null` all; if their
 * episodes fill a page, it equals that of all.
 */
export function meaningCandidates(
  scope: TenantScope,
  search: SearchScope,
  ranking: MeaningRanking,
  nearest: number | null,
): SQL {
  const first =
    nearest === null ? sql`` : sql`ORDER BY far FETCH FIRST ${sql.raw(String(nearest))} ROWS WITH TIES`;
  const near = sql`SELECT ${t.key} AS key, ${t.vector} <#> ${ranking.vector}::vector AS far FROM ${t}
    WHERE ${textVectorCondition(scope, search, ranking)} ${first}`;
  // A few texts are looked up in the index of keys, all of them are joined.
  const said =
    nearest === null
      ? sql`${a} CROSS JOIN LATERAL unnest(${a.sentence_keys}) AS said (key) JOIN near ON near.key = said.key`
      : sql`near JOIN ${a} ON ${a.sentence_keys} @> ARRAY[near.key]`;
  return sql`WITH near AS MATERIALIZED (${near})
    SELECT episode_id, min(far) AS far, ${noMomentColumns} FROM (
      SELECT ${e.id} AS episode_id, near.far FROM near JOIN ${e} ON ${e.task_key} = near.key
      WHERE ${filterCondition(scope, search)}
      UNION ALL
      SELECT ${e.id}, near.far FROM ${said}
        JOIN ${e} ON ${e.tenant_id} = ${a.tenant_id} AND ${e.id} = ${a.episode_id}
      WHERE ${a.tenant_id} = ${scope.tenant_id} AND ${a.project_id} = ${search.project_id}
        AND ${isTextLayer} AND ${filterCondition(scope, search)}) AS texts
    GROUP BY episode_id`;
}

/** Returns a query for the number `n` of matching episodes that have a text with a vector. */
export const countMeaning = (scope: TenantScope, search: SearchScope, ranking: MeaningRanking): SQL =>
  sql`SELECT count(*)::int AS n FROM ${e} WHERE ${filterCondition(scope, search)} AND (
    ${e.task_key} IN (SELECT ${t.key} FROM ${t} WHERE ${textVectorCondition(scope, search, ranking)})
    OR EXISTS (SELECT FROM ${a} CROSS JOIN LATERAL unnest(${a.sentence_keys}) AS said (key)
      JOIN ${t} ON ${textVectorCondition(scope, search, ranking)} AND ${t.key} = said.key
      WHERE ${a.tenant_id} = ${e.tenant_id} AND ${a.episode_id} = ${e.id} AND ${isTextLayer}))`;

/** Layers whose artifacts are text. */
export const textLayers = ['captions', 'dense_text'] as const satisfies readonly LayerId[];

const isTextLayer = sql`${a.layer} IN ('captions', 'dense_text')`;

/** Returns the columns to sort candidates by, best first; for age they are those of an index. */
export const rankingOrder = ({ ranking }: SearchScope): SQL =>
  sql.raw(ranking.by === 'age' ? 'episode_id DESC' : 'far, episode_id DESC');

/** Columns of candidates that are whole episodes. */
export const noMomentColumns = sql.raw('NULL::float8 AS from_s, NULL::float8 AS to_s');

/** Returns the SQL of a text search query (`tsquery`) that matches any of the words. */
export const anyWordQuery = (text: string): SQL =>
  sql`CAST(replace(plainto_tsquery('simple', ${text})::text, ' & ', ' | ') AS tsquery)`;

export type SimilarityRanking = Extract<Ranking, { by: 'like' }>;

/**
 * Returns the SQL condition for vectors that are comparable with that of a ranking: of the same project, descriptor, version
 * and layout, and of another episode.
 */
export function comparableCondition(
  { tenant_id }: TenantScope,
  { project_id }: SearchScope,
  ranking: SimilarityRanking,
): SQL {
  const { descriptor, version, layout, episode_id, moments } = ranking;
  const table = moments ? m : v;
  return joinConditions([
    sql`${table.tenant_id} = ${tenant_id}`,
    sql`${table.project_id} = ${project_id}`,
    sql`${table.descriptor} = ${descriptor}`,
    sql`${table.version} = ${version}`,
    sql`${table.layout} = ${layout}`,
    sql`${table.episode_id} <> ${episode_id}`,
    ...(moments ? [] : [sql`${v.vector} IS NOT NULL`]),
  ]);
}

/** Returns the SQL expression for the distance to the compared vector: the negative inner product. */
export const distanceExpression = ({ moments, vector }: SimilarityRanking): SQL =>
  sql`${moments ? m.vector : v.vector} <#> ${vector}::vector`;

function similarCandidates(scope: TenantScope, search: SearchScope, ranking: SimilarityRanking): SQL {
  const { moments } = ranking;
  const table = moments ? m : v;
  const restriction = isUnfiltered(search)
    ? sql``
    : sql`AND ${table.episode_id} IN (SELECT ${e.id} FROM ${e} WHERE ${filterCondition(scope, search)})`;
  const where = sql`${comparableCondition(scope, search, ranking)} ${restriction}`;
  const far = distanceExpression(ranking);
  if (!moments)
    return sql`SELECT ${v.episode_id} AS episode_id, ${far} AS far, ${noMomentColumns} FROM ${v} WHERE ${where}`;
  return sql`SELECT DISTINCT ON (${m.episode_id}) ${m.episode_id} AS episode_id, ${far} AS far,
      ${m.from_s} AS from_s, ${m.to_s} AS to_s
    FROM ${m} WHERE ${where} ORDER BY ${m.episode_id}, ${far}, ${m.part}`;
}
