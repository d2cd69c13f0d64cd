import { createHash } from 'node:crypto';
import type { Decision, EpisodeSort, LayerId } from '#core/api';
import type { Kind, Outcome } from '#core/episode';
import type { TenantScope } from '../database/database.ts';
import { type SQL, sql } from '../drizzle.ts';
import { annotations as a } from '../schema/annotations.ts';
import { episodes as e } from '../schema/episodes.ts';
import { projects as p } from '../schema/projects.ts';

/** Filter of episodes: alternatives within a member, all members must match. */
export interface EpisodeFilter {
  readonly decision?: readonly Decision[] | undefined;
  readonly review_decision?: readonly (Decision | 'none')[] | undefined;
  /** Kind derived from the streams, independent of a pinned kind. */
  readonly stream_kind?: readonly Kind[] | undefined;
  readonly flag?: readonly string[] | undefined;
  readonly outcome?: readonly Outcome['value'][] | undefined;
  readonly source_id?: readonly string[] | undefined;
  readonly run_id?: readonly string[] | undefined;
  readonly task?: readonly string[] | undefined;
  readonly robot?: readonly string[] | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly min_duration_s?: number | undefined;
  readonly max_duration_s?: number | undefined;
  /** Words that must all occur in the task. */
  readonly text?: string | undefined;
  /** Classes by their recorded names. */
  readonly object?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Annotation layers that must all exist. */
  readonly layer?: readonly LayerId[] | undefined;
}

/** Position of an episode in a sort order: sort value and id. */
export interface EpisodePosition {
  readonly value: string | number;
  readonly id: string;
}

/** Query for one page of episodes. */
export interface EpisodePageQuery extends EpisodeFilter {
  readonly project_id: string;
  readonly sort: EpisodeSort;
  /** Only episodes behind this position. */
  readonly after: EpisodePosition | null;
  readonly limit: number;
}

const listedColumns = [
  ...(['id', 'source_id', 'run_id', 'receipt_id', 'dataset_path', 'name', 'index', 'format'] as const),
  ...(['stream_kind', 'decision', 'score', 'graded_fraction', 'duration_s', 'start_ns', 'robot'] as const),
  ...([
    'task',
    'outcome',
    'flags',
    'tags',
    'review_decision',
    'reviewed_at',
    'created_at',
    'updated_at',
  ] as const),
] as const satisfies readonly (keyof typeof e.$inferSelect)[];

/** The columns as SQL text, built once instead of for every query. */
export const listedColumnsSql = sql.raw(listedColumns.map((key) => `"episodes"."${e[key].name}"`).join(', '));

type ListedColumns = Pick<typeof e.$inferSelect, (typeof listedColumns)[number]>;

/** A listed episode with its sort value; times as text of the database. */
export type EpisodeItemRow = Omit<ListedColumns, 'created_at' | 'updated_at' | 'reviewed_at'> & {
  readonly created_at: string;
  readonly updated_at: string;
  readonly reviewed_at: string | null;
  readonly value: string | number;
};

/** One page of episodes. */
export interface EpisodePage {
  readonly pinned_kind: Kind | null;
  readonly episodes: readonly EpisodeItemRow[];
}

/** Returns one page of the episodes of a project in one statement; null if there is no such project. */
export async function listEpisodes(scope: TenantScope, query: EpisodePageQuery): Promise<EpisodePage | null> {
  const { way } = sortOrder(query.sort);
  // A project without matching episodes gives one row of nulls.
  const { rows } = await scope.sql.execute<
    { pinned_kind: Kind | null } & (EpisodeItemRow | { id: null })
  >(sql`
    SELECT ${p.data_kind_override} AS pinned_kind, item.*
    FROM ${p} LEFT JOIN (${itemsQuery(scope, query)}) AS item ON true
    WHERE ${p.tenant_id} = ${scope.tenant_id} AND ${p.id} = ${query.project_id}
    ORDER BY item.value ${way}, item.id ${way}`);
  if (rows.length === 0) return null;
  return { pinned_kind: rows[0].pinned_kind, episodes: rows.filter((row) => row.id !== null) };
}

/**
 * Walks the index of the sort order until the page is full. Conditions on columns of the index are checked within it.
 * Flags are checked there only if the query uses nothing outside of the index; rows are then fetched afterwards. That
 * does not pay off where flagged episodes come early.
 */
function itemsQuery(scope: TenantScope, query: EpisodePageQuery): SQL {
  const order = sortOrder(query.sort);
  if (query.flag === undefined || startsWithWorst(query))
    return pageQuery(scope, query, order, listedColumnsSql);
  return sql`SELECT ${listedColumnsSql}, found.value FROM (${pageQuery(scope, query, order, sql`${e.id}`)}) AS found
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = found.id`;
}

/**
 * Returns true if the order starts with the worst episodes. Flags lower scores, so these have flags; better ones may
 * have none.
 */
function startsWithWorst({ sort, decision = [], min_score }: EpisodePageQuery): boolean {
  return sort === 'score' && min_score === undefined && decision.every((one) => one === 'reject');
}

interface SortOrder {
  readonly by: SQL;
  readonly way: SQL;
  readonly behind: SQL;
}

function sortOrder(sort: EpisodeSort): SortOrder {
  const falling = sort.startsWith('-');
  const columns = { score: e.rank, duration_s: e.duration_s, created: e.id, name: e.sort_name };
  const column = columns[sort.replace('-', '') as keyof typeof columns];
  return {
    by: column === e.sort_name ? sql`${column} COLLATE "C"` : sql`${column}`,
    way: falling ? sql`DESC` : sql`ASC`,
    behind: falling ? sql`<` : sql`>`,
  };
}

/** Returns the query for a page with `columns` and the sort value as `value`. */
function pageQuery(scope: TenantScope, query: EpisodePageQuery, order: SortOrder, columns: SQL): SQL {
  const { decision, ...rest } = query;
  const byDecision = /^-?score$/.test(query.sort) && decision !== undefined;
  if (!byDecision) return walkIndex(scope, query, order, columns);
  // There is an index of scores per decision; several decisions are several index walks, merged.
  const walks = [...new Set(decision)].map((one) =>
    walkIndex(scope, { ...rest, decision: [one] }, order, columns),
  );
  if (walks.length === 1) return walks[0];
  const each = walks.map((one) => sql`(${one})`);
  return sql`SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) AS each
    ORDER BY each.value ${order.way}, each.id ${order.way} LIMIT ${query.limit}`;
}

function walkIndex(
  scope: TenantScope,
  query: EpisodePageQuery,
  { by, way, behind }: SortOrder,
  columns: SQL,
): SQL {
  const { after, limit, project_id } = query;
  const conditions = [
    sql`${e.tenant_id} = ${scope.tenant_id}`,
    sql`${e.project_id} = ${project_id}`,
    ...filterConditions(query),
  ];
  if (after !== null) conditions.push(sql`(${by}, ${e.id}) ${behind} (${after.value}, ${after.id})`);
  return sql`SELECT ${columns}, ${by} AS value FROM ${e} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${by} ${way}, ${e.id} ${way} LIMIT ${limit}`;
}

/** Returns the SQL conditions of a filter, one per member that is set; episodes must satisfy all. */
export function filterConditions(filter: EpisodeFilter): SQL[] {
  const found: (SQL | null)[] = [
    oneOf(sql`${e.decision}`, filter.decision),
    reviewCondition(filter.review_decision),
    oneOf(sql`${e.stream_kind}`, filter.stream_kind),
    filter.flag === undefined ? null : sql`${e.flags} && ${sql.param(filter.flag)}::text[]`,
    oneOf(sql`${e.outcome}`, filter.outcome),
    oneOf(sql`${e.source_id}`, filter.source_id),
    oneOf(sql`${e.run_id}`, filter.run_id),
    oneOf(sql`${e.task_key}`, filter.task?.map(textKey)),
    oneOf(sql`${e.robot_key}`, filter.robot?.map(textKey)),
    boundCondition(sql`${e.rank} >=`, filter.min_score),
    // Rank −1 means no score, which is not a low score.
    filter.max_score === undefined ? null : sql`${e.rank} BETWEEN 0 AND ${filter.max_score}`,
    boundCondition(sql`${e.duration_s} >=`, filter.min_duration_s),
    boundCondition(sql`${e.duration_s} <=`, filter.max_duration_s),
    filter.text === undefined ? null : sql`${e.task_words} @@ plainto_tsquery('simple', ${filter.text})`,
    filter.object === undefined ? null : showsObject(filter.object),
    filter.tags === undefined ? null : sql`${e.tags} && ${sql.param(filter.tags)}::text[]`,
    ...(filter.layer ?? []).map(carriesLayer),
  ];
  return found.filter((condition) => condition !== null);
}

/** Returns the condition that a label in the recording, or an annotation, has one of these classes under its recorded name. */
function showsObject(classes: readonly string[]): SQL {
  const names = sql`${sql.param([...classes])}::text[]`;
  return sql`(${e.objects} && ${names} OR EXISTS (SELECT FROM ${a} WHERE ${a.tenant_id} = ${e.tenant_id}
    AND ${a.episode_id} = ${e.id} AND ${a.classes} && ${names}))`;
}

/** Returns the condition that an episode has output of a layer; it uses the index of annotated episodes. */
const carriesLayer = (
  layer: LayerId,
): SQL => sql`EXISTS (SELECT FROM ${a} WHERE ${a.tenant_id} = ${e.tenant_id}
  AND ${a.episode_id} = ${e.id} AND ${a.layer} = ${layer} AND ${a.not_produced} IS NULL)`;

function oneOf(column: SQL, values: readonly string[] | undefined): SQL | null {
  if (values === undefined) return null;
  return values.length === 1
    ? sql`${column} = ${values[0]}`
    : sql`${column} = ANY(${sql.param([...values])}::text[])`;
}

const boundCondition = (comparison: SQL, value: number | undefined): SQL | null =>
  value === undefined ? null : sql`${comparison} ${value}`;

function reviewCondition(values: EpisodeFilter['review_decision']): SQL | null {
  if (values === undefined) return null;
  const decided = values.filter((value) => value !== 'none');
  const none = sql`${e.review_decision} IS NULL`;
  if (decided.length === 0) return none;
  const some = oneOf(sql`${e.review_decision}`, decided);
  return decided.length === values.length ? some : sql`(${none} OR ${some})`;
}

/** Computes a key like the generated columns. */
const textKey = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 12);
