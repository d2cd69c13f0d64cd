import { createHash } from 'node:crypto';
import type { Decision, EpisodeSort, LayerId } from '#core/api';
import type { Kind, Outcome } from '#core/episode';
import { type SQL, sql } from '../drizzle.ts';
import { annotations as a } from '../schema/annotations.ts';
import { episodes as e } from '../schema/episodes.ts';
import { projects as p } from '../schema/projects.ts';
import type { TenantScope } from '../tenant-scope.ts';

/** Alternatives within a member, all members together. */
export interface EpisodeFilter {
  readonly decision?: readonly Decision[] | undefined;
  readonly review_decision?: readonly (Decision | 'none')[] | undefined;
  /** By the streams, whatever kind is pinned. */
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
  /** Words that its task must all have. */
  readonly text?: string | undefined;
  readonly object?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Annotation layers that it must carry, all of them. */
  readonly layer?: readonly LayerId[] | undefined;
}

/** An episode's place in an order: what it is sorted by, and its id. */
export interface EpisodePlace {
  readonly value: string | number;
  readonly id: string;
}

export interface EpisodePageQuery extends EpisodeFilter {
  readonly project_id: string;
  readonly sort: EpisodeSort;
  /** Only those behind this place. */
  readonly after: EpisodePlace | null;
  readonly limit: number;
}

const shownColumns = [
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

/** As text once, so that it is not put together for every query. */
export const shownOfEpisodes = sql.raw(shownColumns.map((key) => `"episodes"."${e[key].name}"`).join(', '));

type Shown = Pick<typeof e.$inferSelect, (typeof shownColumns)[number]>;

/** What a list shows of an episode, and what it was sorted by; times as the database writes them. */
export type EpisodeItemRow = Omit<Shown, 'created_at' | 'updated_at' | 'reviewed_at'> & {
  readonly created_at: string;
  readonly updated_at: string;
  readonly reviewed_at: string | null;
  readonly value: string | number;
};

export interface EpisodePage {
  readonly pinned_kind: Kind | null;
  readonly episodes: readonly EpisodeItemRow[];
}

/** One page of a project's episodes in one statement; null where there is no such project. */
export async function listEpisodes(scope: TenantScope, query: EpisodePageQuery): Promise<EpisodePage | null> {
  const { way } = orderOf(query.sort);
  // A project without episodes to show is one row of nothing.
  const { rows } = await scope.sql.execute<
    { pinned_kind: Kind | null } & (EpisodeItemRow | { id: null })
  >(sql`
    SELECT ${p.data_kind_override} AS pinned_kind, item.*
    FROM ${p} LEFT JOIN (${itemsOf(scope, query)}) AS item ON true
    WHERE ${p.tenant_id} = ${scope.tenant_id} AND ${p.id} = ${query.project_id}
    ORDER BY item.value ${way}, item.id ${way}`);
  if (rows.length === 0) return null;
  return { pinned_kind: rows[0].pinned_kind, episodes: rows.filter((row) => row.id !== null) };
}

/**
 * The index of the order is walked until the page is full. Whatever has an order is compared within the index; flags,
 * which have none, are so only in a query that asks for nothing outside of it, and the rows are fetched afterwards. That
 * does not pay where flags are met soon.
 */
function itemsOf(scope: TenantScope, query: EpisodePageQuery): SQL {
  const order = orderOf(query.sort);
  if (query.flag === undefined || beginsWithWorst(query)) return pageOf(scope, query, order, shownOfEpisodes);
  return sql`SELECT ${shownOfEpisodes}, found.value FROM (${pageOf(scope, query, order, sql`${e.id}`)}) AS found
    JOIN ${e} ON ${e.tenant_id} = ${scope.tenant_id} AND ${e.id} = found.id`;
}

/** Flags lower scores, so that the worst of all have them; better ones may have none at all. */
function beginsWithWorst({ sort, decision = [], min_score }: EpisodePageQuery): boolean {
  return sort === 'score' && min_score === undefined && decision.every((one) => one === 'reject');
}

interface SortOrder {
  readonly by: SQL;
  readonly way: SQL;
  readonly behind: SQL;
}

function orderOf(sort: EpisodeSort): SortOrder {
  const falling = sort.startsWith('-');
  const columns = { score: e.rank, duration_s: e.duration_s, created: e.id, name: e.sort_name };
  const column = columns[sort.replace('-', '') as keyof typeof columns];
  return {
    by: column === e.sort_name ? sql`${column} COLLATE "C"` : sql`${column}`,
    way: falling ? sql`DESC` : sql`ASC`,
    behind: falling ? sql`<` : sql`>`,
  };
}

/** The page's `columns`, and `value`: what it is sorted by. */
function pageOf(scope: TenantScope, query: EpisodePageQuery, order: SortOrder, columns: SQL): SQL {
  const { decision, ...rest } = query;
  const byDecision = /^-?score$/.test(query.sort) && decision !== undefined;
  if (!byDecision) return walk(scope, query, order, columns);
  // The order of scores within a decision has an index; several decisions are several walks, merged.
  const walks = [...new Set(decision)].map((one) =>
    walk(scope, { ...rest, decision: [one] }, order, columns),
  );
  if (walks.length === 1) return walks[0];
  const each = walks.map((one) => sql`(${one})`);
  return sql`SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) AS each
    ORDER BY each.value ${order.way}, each.id ${order.way} LIMIT ${query.limit}`;
}

function walk(
  scope: TenantScope,
  query: EpisodePageQuery,
  { by, way, behind }: SortOrder,
  columns: SQL,
): SQL {
  const { after, limit, project_id } = query;
  const conditions = [
    sql`${e.tenant_id} = ${scope.tenant_id}`,
    sql`${e.project_id} = ${project_id}`,
    ...conditionsOf(query),
  ];
  if (after !== null) conditions.push(sql`(${by}, ${e.id}) ${behind} (${after.value}, ${after.id})`);
  return sql`SELECT ${columns}, ${by} AS value FROM ${e} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${by} ${way}, ${e.id} ${way} LIMIT ${limit}`;
}

/** What an episode must fulfil to pass. */
export function conditionsOf(filter: EpisodeFilter): SQL[] {
  const found: (SQL | null)[] = [
    oneOf(sql`${e.decision}`, filter.decision),
    reviewed(filter.review_decision),
    oneOf(sql`${e.stream_kind}`, filter.stream_kind),
    filter.flag === undefined ? null : sql`${e.flags} && ${sql.param(filter.flag)}::text[]`,
    oneOf(sql`${e.outcome}`, filter.outcome),
    oneOf(sql`${e.source_id}`, filter.source_id),
    oneOf(sql`${e.run_id}`, filter.run_id),
    oneOf(sql`${e.task_key}`, filter.task?.map(keyOf)),
    oneOf(sql`${e.robot_key}`, filter.robot?.map(keyOf)),
    bound(sql`${e.rank} >=`, filter.min_score),
    // Rank −1 is no score, and no score is not a low one.
    filter.max_score === undefined ? null : sql`${e.rank} BETWEEN 0 AND ${filter.max_score}`,
    bound(sql`${e.duration_s} >=`, filter.min_duration_s),
    bound(sql`${e.duration_s} <=`, filter.max_duration_s),
    filter.text === undefined ? null : sql`${e.task_words} @@ plainto_tsquery('simple', ${filter.text})`,
    filter.object === undefined ? null : sql`${e.objects} && ${sql.param(filter.object)}::text[]`,
    filter.tags === undefined ? null : sql`${e.tags} && ${sql.param(filter.tags)}::text[]`,
    ...(filter.layer ?? []).map(carries),
  ];
  return found.filter((condition) => condition !== null);
}

/** Looked up by the index of a layer's episodes. */
const carries = (layer: LayerId): SQL => sql`EXISTS (SELECT FROM ${a} WHERE ${a.tenant_id} = ${e.tenant_id}
  AND ${a.episode_id} = ${e.id} AND ${a.layer} = ${layer})`;

function oneOf(column: SQL, values: readonly string[] | undefined): SQL | null {
  if (values === undefined) return null;
  return values.length === 1
    ? sql`${column} = ${values[0]}`
    : sql`${column} = ANY(${sql.param([...values])}::text[])`;
}

const bound = (comparison: SQL, value: number | undefined): SQL | null =>
  value === undefined ? null : sql`${comparison} ${value}`;

function reviewed(values: EpisodeFilter['review_decision']): SQL | null {
  if (values === undefined) return null;
  const decided = values.filter((value) => value !== 'none');
  const none = sql`${e.review_decision} IS NULL`;
  if (decided.length === 0) return none;
  const some = oneOf(sql`${e.review_decision}`, decided);
  return decided.length === values.length ? some : sql`(${none} OR ${some})`;
}

/** As the generated columns have it. */
const keyOf = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 12);
